/** Keeps writers of one path apart. Paths are real: two spellings of one file are one path. */
export interface PathLocks {
  /**
   * Runs `fn` while no one else holds any of the paths. Who comes first is served first; several paths are taken in a
   * fixed order, so that no two callers wait for each other. Rejects with the signal's reason when it ends the wait.
   */
  withPathLocks<T>(paths: readonly string[], signal: AbortSignal | undefined, fn: () => Promise<T>): Promise<T>;
}

/** Keeps other processes out too. */
export interface ProcessLock {
  /** Waits its turn, and gives what ends the hold. */
  acquire(path: string, signal?: AbortSignal): Promise<() => Promise<void>>;
}

/** The last holder of each path in this process, whichever root it belongs to. */
const queues = new Map<string, Promise<void>>();

/** Locks among all callers in this process and, with `processLock`, among processes. */
export function createPathLocks(processLock?: ProcessLock): PathLocks {
  return {
    async withPathLocks(paths, signal, fn) {
      const releases: (() => Promise<void> | void)[] = [];
      try {
        for (const path of [...new Set(paths)].sort()) {
          releases.push(await enterQueue(path, signal));
          if (processLock) releases.push(await processLock.acquire(path, signal));
        }
        signal?.throwIfAborted();
        return await fn();
      } finally {
        for (const release of releases.reverse()) await release();
      }
    },
  };
}

/** Waits behind everyone who came before. A caller that gives up keeps its place until its turn, and passes it on. */
async function enterQueue(path: string, signal: AbortSignal | undefined): Promise<() => void> {
  signal?.throwIfAborted();
  const turn = queues.get(path);
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const mine = (turn ?? Promise.resolve()).then(() => left);
  queues.set(path, mine);
  void mine.then(() => {
    if (queues.get(path) === mine) queues.delete(path);
  });
  if (!turn) return leave;
  try {
    await abortable(turn, signal);
  } catch (error) {
    leave();
    throw error;
  }
  return leave;
}

function abortable(turn: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return turn;
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    void turn.then(() => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    });
  });
}
