import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { bundledProgram } from './bundled-program.ts';
import type { AskedCall, SeenCall } from './calls-in-state.ts';
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

/** Calls on a root in a process whose state folder is as a shell script leaves it (its `$1`), among mounts of its own. */
export function callsInState(
  at: { readonly root: string; readonly state: string; readonly script: string },
  calls: readonly AskedCall[],
): readonly SeenCall[] {
  const program = [process.execPath, bundledProgram('calls-in-state.ts'), at.root, JSON.stringify(calls)];
  const printed = execFileSync(
    'unshare',
    ['--mount', 'sh', '-ec', `${at.script}\nshift; exec "$@"`, 'sh', at.state, ...program],
    {
      encoding: 'utf8',
      env: { ...process.env, XDG_STATE_HOME: at.state },
    },
  );
  return JSON.parse(printed) as readonly SeenCall[];
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
