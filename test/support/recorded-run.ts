import { localRun } from '../../src/workspace/local-run.ts';
import type { Run } from '../../src/workspace/run.ts';
import { isRunning, processes, until } from './processes.ts';

/** `localRun` that remembers what it started. */
export interface RecordedRun {
  readonly run: Run;
  /** The process numbers of commands whose line contains `part`, oldest first. */
  started(part: string): readonly number[];
  /** Ends the newest of them at once, as `kill -9` of its group does. */
  kill(part: string): void;
  /** Waits until nothing that was started, nor any process of its group, runs; the lines of what still does. */
  leftOver(timeoutMs: number): Promise<readonly string[]>;
}

export function recordedRun(): RecordedRun {
  const all: { readonly pid: number; readonly line: string }[] = [];
  const left = (): readonly string[] =>
    processes()
      .filter((row) => all.some(({ pid }) => pid === row.pid || pid === row.group))
      .map((row) => row.command);
  const started: RecordedRun['started'] = (part) => all.filter(({ line }) => line.includes(part)).map(({ pid }) => pid);
  return {
    run: (argv, options) => {
      const command = localRun(argv, options);
      if (command.pid !== undefined) all.push({ pid: command.pid, line: argv.join(' ') });
      return command;
    },
    started,
    kill: (part) => {
      const pid = started(part).at(-1);
      if (pid === undefined || !isRunning(pid)) throw new Error(`nothing with ${part} runs`);
      process.kill(-pid, 'SIGKILL');
    },
    leftOver: async (timeoutMs) => {
      await until(() => left().length === 0, timeoutMs);
      return left();
    },
  };
}
