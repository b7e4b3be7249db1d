import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { bundledProgram } from './bundled-program.ts';
import type { AskedWrite, SeenWrite } from './store-writes.ts';

/** Whether this machine lets us play others, and if not, why. */
export type Possible = { readonly isPossible: true } | { readonly isPossible: false; readonly why: string };

const node = (): readonly string[] => [process.execPath, bundledProgram('store-writes.ts')];

/** Mounts of our own need the rights of root. */
export function canMount(): Possible {
  return attempt('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt']);
}

/** Becoming a user without rights needs them too. */
export function canBecomeNobody(): Possible {
  return attempt('setpriv', [...NOBODY, process.execPath, '-e', '0']);
}

const NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups'];

/** Runs a shell script with mounts of its own, then the writes there. */
export function writesAmongMounts(script: string, writes: readonly AskedWrite[]): readonly SeenWrite[] {
  return run('unshare', ['--mount', 'sh', '-ec', `${script}\nexec "$@"`, 'sh', ...node(), JSON.stringify(writes)], {});
}

/** The writes, made by a user who owns nothing here but what the test gave it. */
export function writesByNobody(home: string, writes: readonly AskedWrite[]): readonly SeenWrite[] {
  return run('setpriv', [...NOBODY, ...node(), JSON.stringify(writes)], {
    HOME: home,
    TMPDIR: home,
    XDG_STATE_HOME: home,
  });
}

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>>): readonly SeenWrite[] {
  const cwd = join(import.meta.dirname, '../..');
  const printed = execFileSync(command, args, { encoding: 'utf8', cwd, env: { ...process.env, ...env } });
  return JSON.parse(printed) as readonly SeenWrite[];
}

function attempt(command: string, args: readonly string[]): Possible {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    return { isPossible: true };
  } catch (error) {
    return { isPossible: false, why: error instanceof Error ? error.message.trim() : String(error) };
  }
}
