/** The calls of a host that are not over, each with a signal of its own. */
export class CallsInFlight {
  readonly #calls = new Map<AbortController, Promise<unknown>>();

  /** Runs a call with a signal that aborts when its caller's does, or when all are given up. */
  async during<T>(signal: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const own = new AbortController();
    const onAbort = (): void => own.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    const call = run(own.signal);
    this.#calls.set(own, call);
    try {
      return await call;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#calls.delete(own);
    }
  }

  /** Aborts them, and settles when they are over, or `ms` have passed. */
  async giveUp(ms: number): Promise<void> {
    const calls = [...this.#calls.values()];
    for (const own of this.#calls.keys()) own.abort();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([Promise.allSettled(calls), over]);
    clearTimeout(timer);
  }
}
