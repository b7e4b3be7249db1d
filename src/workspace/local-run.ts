import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { delimiter, isAbsolute, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { endOnAbort } from './end-on-abort.ts';
import { countYoungChunks } from './local-young-buffers.ts';
import type { CommandExit, Run, RunningCommand } from './run.ts';

/**
 * Starts a command on this machine, as the leader of a session and process group of its own: no controlling terminal,
 * and what is sent to our group does not reach it. What can't be started is an exit of kind `not_started`.
 */
export const localRun: Run = (argv, options) => {
  const [command, ...args] = argv;
  try {
    const env = environment(options.env);
    const program = programOf(command, env.PATH);
    const child = spawn(program, args, {
      cwd: options.cwd,
      env,
      argv0: command,
      stdio: [options.stdin === 'pipe' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    });
    return running(child, command, options);
  } catch (error) {
    return neverStarted(error instanceof Error ? error.message : String(error));
  }
};

/**
 * What is started for a name. A folder of PATH that is not absolute would be looked for in the working directory, and
 * what lies there is the project's: such folders are passed over.
 */
function programOf(command: string, path: string | undefined): string {
  const folders = path?.split(delimiter) ?? [];
  if (command.includes('/') || process.platform === 'win32' || folders.every(isAbsolute)) return command;
  const found = folders.filter(isAbsolute).find((folder) => isExecutable(join(folder, command)));
  return join(found ?? '/', command);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function running(child: ChildProcess, command: string, options: Parameters<Run>[1]): RunningCommand {
  const { stdin, stdout, stderr } = child;
  if (!stdout || !stderr) return neverStarted(`${command} has no pipes`);
  for (const stream of [stdout, stderr]) countYoungChunks(stream);
  // A command that ends early breaks its pipe; its exit says so, and the writer learns it from there.
  stdin?.on('error', () => {});
  const exit = new Promise<CommandExit>((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) {
        resolve({ kind: 'not_started', reason: whyNotStarted(error, command, options.cwd) });
      }
    });
    child.on('exit', (code, signal) => {
      resolve(signal === null ? { kind: 'code', code: code ?? 0 } : { kind: 'signal', signal });
    });
  });
  const kill = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    if (child.pid !== undefined) killGroup(child.pid, signal);
  };
  if (options.signal) endOnAbort(options.signal, kill, exit);
  return {
    ...(child.pid === undefined ? {} : { pid: child.pid }),
    stdin: stdin ?? undefined,
    stdout,
    stderr,
    exit,
    kill,
    unref: () => {
      child.unref();
      for (const stream of [stdin, stdout, stderr]) if (stream instanceof Socket) stream.unref();
    },
  };
}

function killGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    // Nobody of the group is left, which is what was asked for.
  }
}

function environment(changes: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}

function whyNotStarted(error: Error, command: string, cwd: string): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') {
    if (!existsSync(cwd)) return `there is no folder ${cwd}`;
    return command.includes('/') ? `there is no file ${command}` : `"${command}" is not on PATH`;
  }
  if (code !== 'EACCES') return error.message;
  return mayEnter(cwd) ? `${command} is not executable` : `the folder ${cwd} may not be entered`;
}

function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function neverStarted(reason: string): RunningCommand {
  const empty = (): PassThrough => {
    const stream = new PassThrough();
    stream.end();
    return stream;
  };
  return {
    stdin: undefined,
    stdout: empty(),
    stderr: empty(),
    exit: Promise.resolve({ kind: 'not_started', reason }),
    kill: () => {},
  };
}
