/** The host that calls go to, which may be renewed between them. */
export interface CurrentHost<H> {
  /** Runs a call on the present host, opened where there is none; it stays open until the call is done. */
  use<T>(work: (host: H) => Promise<T>): Promise<T>;
  /** Further calls go to a new one; the old one is closed when its last call is done. */
  renew(): void;
  /** Closes what is open. */
  close(): Promise<void>;
}

interface Opened<H> {
  readonly host: Promise<H>;
  calls: number;
  isRetired: boolean;
}

/** @param open may fail: the next call tries anew */
export function createCurrentHost<H extends { close(): Promise<void> }>(open: () => Promise<H>): CurrentHost<H> {
  const opened = new Set<Opened<H>>();
  let current: Opened<H> | undefined;

  const closeOne = async (one: Opened<H>): Promise<void> => {
    opened.delete(one);
    // One that was never opened has nothing to close, and its caller was told.
    const host = await one.host.catch(() => undefined);
    await host?.close();
  };
  const start = (): Opened<H> => {
    const one: Opened<H> = { host: open(), calls: 0, isRetired: false };
    opened.add(one);
    one.host.catch(() => {
      opened.delete(one);
      if (current === one) current = undefined;
    });
    return one;
  };
  return {
    async use(work) {
      current ??= start();
      const one = current;
      one.calls += 1;
      try {
        return await work(await one.host);
      } finally {
        one.calls -= 1;
        if (one.isRetired && one.calls === 0) await closeOne(one);
      }
    },
    renew() {
      const old = current;
      current = undefined;
      if (!old) return;
      old.isRetired = true;
      if (old.calls === 0) void closeOne(old);
    },
    async close() {
      await Promise.allSettled([...opened].map(closeOne));
    },
  };
}
