import type { LanguageServer } from './language-server.ts';
import { SERVER_TIMINGS } from './server-timings.ts';

/** How much memory servers have, and may have. */
export interface MemoryPort {
  /** Bytes that each of these process groups has in memory; groups that are gone are left out. */
  ofGroups(groups: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Bytes that all servers together may have. */
  readonly ceiling: number;
}

/** Which servers are to be stopped, so that the others have no more than `ceiling` together. */
interface MemoryVerdict<Server> {
  /** Those that have been idle longest first. */
  readonly stop: readonly Server[];
  /** The last one, which alone has more than all may have. */
  readonly tooBig: Server | undefined;
}

/** Judges servers by what each has (bytes) and when it was last asked (ms). Pure: stops nothing. */
export function judgeMemory<Server>(
  servers: readonly { readonly server: Server; readonly bytes: number; readonly usedAt: number }[],
  ceiling: number,
): MemoryVerdict<Server> {
  const byUse = [...servers].sort((a, b) => a.usedAt - b.usedAt);
  let total = byUse.reduce((sum, { bytes }) => sum + bytes, 0);
  const stop: Server[] = [];
  for (const { server, bytes } of byUse.slice(0, -1)) {
    if (total <= ceiling) break;
    stop.push(server);
    total -= bytes;
  }
  return { stop, tooBig: total > ceiling ? byUse.at(-1)?.server : undefined };
}

/** Looks at the memory of all servers while any runs, and keeps them together under the ceiling. */
export class MemoryCeiling {
  readonly #port: MemoryPort;
  readonly #servers: () => readonly LanguageServer[];
  readonly #lookMs: number;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  constructor(
    port: MemoryPort,
    servers: () => readonly LanguageServer[],
    lookMs: number = SERVER_TIMINGS.memoryLookMs,
  ) {
    this.#port = port;
    this.#servers = servers;
    this.#lookMs = lookMs;
  }

  /** Begins to look, where it does not yet. */
  watch(): void {
    if (this.#timer || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, this.#lookMs);
    this.#timer.unref();
  }

  /** Looks no more; settles when what it began to stop has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const running = this.#servers().flatMap((server) => {
      const group = server.session?.pid;
      return group === undefined ? [] : [{ server, group }];
    });
    const bytes = await this.#port.ofGroups(running.map(({ group }) => group));
    const sized = running.map(({ server, group }) => ({
      server,
      bytes: bytes.get(group) ?? 0,
      usedAt: server.usedAt,
    }));
    const { ceiling } = this.#port;
    const { stop, tooBig } = judgeMemory(sized, ceiling);
    await Promise.all(stop.map((server) => server.rest()));
    const size = sized.find(({ server }) => server === tooBig)?.bytes ?? 0;
    tooBig?.refuse(`memory: it has ${mega(size)} MB, all servers together may have ${mega(ceiling)} MB`);
    this.#timer = undefined;
    if (this.#servers().some(({ state }) => state.status === 'running' || state.status === 'starting')) this.watch();
  }
}

function mega(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
