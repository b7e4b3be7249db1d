import type { Readable, Writable } from 'node:stream';
import type { CommandExit, Run } from '../run.ts';
import { lastWords } from './last-words.ts';
import type { ResolvedServer } from './resolve-server.ts';
import { ServerFailure } from './server-failure.ts';
import { behindGate, type Watchdog } from './watchdog.ts';

/** Characters that are kept: a stack and the error above it. */
const STDERR_TAIL = 4000;

/** A server's process group. */
export interface ServerProcess {
  /** Absent where the executor has no process numbers that mean anything here. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Settles with how it ended, and its last words on stderr; never rejects. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  terminate(): void;
  kill(): void;
}

/**
 * Starts a server's process: the watchdog knows of it before it runs.
 * @throws ServerFailure `not_started`
 */
export async function launchServer(options: {
  readonly server: ResolvedServer;
  readonly run: Run;
  readonly watchdog: Watchdog | undefined;
}): Promise<ServerProcess> {
  const { server, watchdog } = options;
  const command = options.run(watchdog ? behindGate(server.argv) : server.argv, { cwd: server.root, stdin: 'pipe' });
  const { pid, stdin } = command;
  let tail = '';
  command.stderr.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-STDERR_TAIL);
  });
  let hasEnded = false;
  const ended = command.exit.then((exit) => {
    hasEnded = true;
    // Children that its leader left behind go with it.
    command.kill('SIGKILL');
    if (pid !== undefined) watchdog?.remove(pid);
    return endedBecause(exit, tail);
  });
  if (!stdin) throw new ServerFailure('not_started', `it did not start: ${await ended}`);
  if (watchdog) {
    if (pid !== undefined) await watchdog.add(pid);
    stdin.write('\n');
  }
  return {
    pid,
    stdin,
    stdout: command.stdout,
    ended,
    hasEnded: () => hasEnded,
    terminate: () => command.kill('SIGTERM'),
    kill: () => command.kill('SIGKILL'),
  };
}

function endedBecause(exit: CommandExit, stderr: string): string {
  const words = lastWords(stderr);
  const said = words === '' ? '' : `: ${words}`;
  switch (exit.kind) {
    case 'code':
      return `its process ended with code ${exit.code}${said}`;
    case 'signal':
      return `its process was ended by ${exit.signal}`;
    case 'not_started':
      return exit.reason;
  }
}
