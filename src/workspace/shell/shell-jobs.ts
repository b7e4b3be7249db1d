import type { Run } from '../run.ts';
import type { CallProcess } from './process-table.ts';
import type { JobEnd, ShellJob } from './shell-job.ts';

/** A job under its number, which counts from 1 and is never used twice. */
export interface NumberedJob {
  readonly number: number;
  readonly job: ShellJob;
  /** How it ended; `undefined` while it runs. */
  end: JobEnd | undefined;
  /** Its end has been told. */
  isTold: boolean;
  /** It has been told that what it printed last can be read. */
  isRestTold: boolean;
}

/** How long the end of an output is waited for, once all that could hold it back is gone. */
export const LAST_WORDS_MS = 500;
/** Of those that are over, whose last output nobody has read. */
const MAX_UNREAD = 20;

/** The commands of one session that were not over when their answer was given, and what others left running. */
export class ShellJobs {
  readonly #jobs = new Map<number, NumberedJob>();
  #last = 0;

  add(job: ShellJob): NumberedJob {
    this.#last++;
    const numbered: NumberedJob = { number: this.#last, job, end: undefined, isTold: false, isRestTold: false };
    this.#jobs.set(this.#last, numbered);
    void job.ended.then((end) => {
      numbered.end = end;
    });
    return numbered;
  }

  find(number: number): NumberedJob | undefined {
    return this.#jobs.get(number);
  }

  numbers(): readonly number[] {
    return [...this.#jobs.keys()];
  }

  forget(number: number): void {
    this.#jobs.delete(number);
  }

  /**
   * Jobs that run, jobs whose end or last output has not been told, and what ended ones have left running. What is over
   * is forgotten once its output was read.
   */
  async news(): Promise<readonly { readonly entry: NumberedJob; readonly processes: readonly CallProcess[] }[]> {
    const news: { entry: NumberedJob; processes: readonly CallProcess[] }[] = [];
    const unread: number[] = [];
    for (const entry of this.#jobs.values()) {
      const processes = await entry.job.processes();
      if (processes.length === 0 && entry.end) await entry.job.outputEnd(LAST_WORDS_MS);
      const { hasFresh } = entry.job;
      if (processes.length > 0 || !entry.end || !entry.isTold || (hasFresh && !entry.isRestTold)) {
        news.push({ entry, processes });
      } else if (hasFresh) unread.push(entry.number);
      else this.#jobs.delete(entry.number);
    }
    for (const number of unread.slice(0, -MAX_UNREAD)) this.#jobs.delete(number);
    return news;
  }
}

const shells = new WeakMap<Run, Promise<'bash' | 'sh'>>();

/** The shell that commands run in: bash where there is one. It is looked for once. */
export function findShell(run: Run, cwd: string): Promise<'bash' | 'sh'> {
  const known =
    shells.get(run) ??
    (async () => {
      const probe = run(['bash', '-c', ':'], { cwd, stdin: 'none' });
      probe.stdout.resume();
      probe.stderr.resume();
      const exit = await probe.exit;
      return exit.kind === 'code' && exit.code === 0 ? ('bash' as const) : ('sh' as const);
    })();
  shells.set(run, known);
  return known;
}
