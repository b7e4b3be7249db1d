import type { Readable, Writable } from 'node:stream';

/** Where and how a command runs. */
export interface RunOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Set on top of the environment that the executor has; `undefined` removes a name. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `none`: the command reads an empty input. */
  readonly stdin: 'none' | 'pipe';
  /** Ends the command with all processes of its group. */
  readonly signal?: AbortSignal;
}

/**
 * A command that was started. Both its streams are read from the start on: it stops when a pipe is full, and Node drops
 * what nobody has begun to read when it ends.
 */
export interface RunningCommand {
  /** Absent where the executor has no process numbers that mean anything here. */
  readonly pid?: number;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when the command itself has ended (others may still hold its pipes); never rejects. */
  readonly exit: Promise<CommandExit>;
  /** Sends a signal to the whole process group. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Lets our own process end although this command runs on. */
  unref?(): void;
}

/** How a command ended, or why it never began. */
export type CommandExit =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  /** It could not be started: not on PATH, not executable, no such folder. */
  | { readonly kind: 'not_started'; readonly reason: string };

/** Starts a command where the files are: local processes by default, or a harness's own executor. */
export type Run = (argv: readonly [string, ...string[]], options: RunOptions) => RunningCommand;
