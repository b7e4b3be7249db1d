import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';

/** The built program; `EMEND_CLI` names another build. */
export const CLI = process.env.EMEND_CLI ?? join(import.meta.dirname, '../../dist/bin/cli.js');

/** The command line with a state folder of its own; resident processes that it started are gone when the test is. */
export interface Emend {
  readonly stateFolder: string;
  readonly env: Readonly<Record<string, string>>;
  run(
    args: readonly string[],
    options?: { readonly input?: string; readonly cwd?: string; readonly env?: Record<string, string> },
  ): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number | undefined }>;
  /** Starts it and leaves it running. */
  start(args: readonly string[]): ChildProcess;
  /** The resident's process number, from its status; `undefined` where there is none. */
  resident(root: string): Promise<number | undefined>;
}

export function emendFor(root: string, stateFolder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-state-')))): Emend {
  const env = { XDG_STATE_HOME: stateFolder };
  const run: Emend['run'] = async (args, options = {}) => {
    const { stdout, stderr, exitCode } = await execa(process.execPath, [CLI, ...args], {
      input: options.input ?? '',
      cwd: options.cwd ?? '/',
      env: { ...env, ...options.env },
      reject: false,
    });
    return { stdout, stderr, exitCode };
  };
  const resident: Emend['resident'] = async (at) => {
    const { stdout } = await run(['serve', '--status', '--root', at]);
    const pid = /process (\d+)/.exec(stdout)?.[1];
    return pid === undefined ? undefined : Number(pid);
  };
  onTestFinished(async () => {
    await run(['serve', '--stop', '--root', root]);
    rmSync(stateFolder, { recursive: true, force: true });
  });
  return {
    stateFolder,
    env,
    run,
    resident,
    start(args) {
      const child = spawn(process.execPath, [CLI, ...args], {
        cwd: '/',
        env: { ...process.env, ...env },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
      return child;
    },
  };
}
