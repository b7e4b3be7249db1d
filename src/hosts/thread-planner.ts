import { Worker } from 'node:worker_threads';
import { answerTask, type EditPlanner, type PlanAnswer, type PlanTask } from '../broker/edit-planner.ts';

/** A thread that has had nothing to do for so long is ended: it would cost memory. */
const IDLE_MS = 10_000;

/** `script` is what the thread runs; the one beside this file by default. */
export interface ThreadPlannerOptions {
  readonly script?: URL;
  /** Is told why the thread did not answer; the edit is planned all the same. */
  readonly onFailure?: (failure: Error) => void;
}

/**
 * Plans edits on one thread of this process, one after another. It starts with the first, ends with the process or when
 * it is idle, and keeps no process alive. Where it fails the edit is planned on the caller's thread; an edit that is
 * cancelled while it is planned ends the thread, and the next starts another.
 */
export function createThreadPlanner({
  script = besideThis(),
  onFailure = () => undefined,
}: ThreadPlannerOptions = {}): EditPlanner {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const run = async (task: PlanTask, signal: AbortSignal | undefined): Promise<PlanAnswer> => {
    signal?.throwIfAborted();
    clearTimeout(idle);
    worker ??= startWorker(script);
    try {
      const answer = await ask(worker, task, signal);
      idle = setTimeout(() => void end(), IDLE_MS).unref();
      return answer;
    } catch (error) {
      await end();
      signal?.throwIfAborted();
      if (!(error instanceof ThreadFailure)) throw error;
      onFailure(error);
      return answerTask(task);
    }
  };
  return {
    plan(task, signal) {
      const answer = last.then(() => run(task, signal));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: end,
  };
}

/** The thread could not be started, or ended before it answered. */
class ThreadFailure extends Error {}

/** The thread's script has one name built and bundled, and another where the sources themselves run. */
function besideThis(): URL {
  const name = import.meta.url.endsWith('.ts') ? 'planner-thread-source.mjs' : 'planner-thread.js';
  return new URL(`./${name}`, import.meta.url);
}

function startWorker(script: URL): Worker {
  // What this process was started with is not for a thread.
  const worker = new Worker(script, { name: 'emend planner', execArgv: [] });
  // Between two tasks a failure is told by the next one.
  worker.on('error', () => undefined);
  worker.unref();
  return worker;
}

/** The answer to one task; only while it is awaited the thread keeps the process alive. */
function ask(worker: Worker, task: PlanTask, signal: AbortSignal | undefined): Promise<PlanAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      worker.off('message', answered).off('error', failed).off('exit', exited);
      signal?.removeEventListener('abort', aborted);
      worker.unref();
      outcome();
    };
    const answered = (answer: PlanAnswer): void => settle(() => resolve(answer));
    const failed = (error: Error): void =>
      settle(() => reject(new ThreadFailure('the planner failed', { cause: error })));
    const exited = (): void => settle(() => reject(new ThreadFailure('the planner ended')));
    const aborted = (): void => settle(() => reject(signal?.reason));
    worker.on('message', answered).on('error', failed).on('exit', exited);
    signal?.addEventListener('abort', aborted, { once: true });
    worker.ref();
    worker.postMessage(task);
  });
}
