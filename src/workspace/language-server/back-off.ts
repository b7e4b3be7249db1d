import type { Clock } from '../clock.ts';
import type { ServerFailure } from './server-failure.ts';
import type { ServerTimings } from './server-timings.ts';

/** When a server that failed may be started again; never so late that it is broken for ever. */
export class BackOff {
  readonly #timings: ServerTimings;
  readonly #clock: Clock;
  #failures = 0;
  #last: { readonly error: ServerFailure; readonly at: number; readonly retryAt: number } | undefined;

  constructor(timings: ServerTimings, clock: Clock) {
    this.#timings = timings;
    this.#clock = clock;
  }

  /** The failure that no start has followed yet. */
  get failure(): ServerFailure | undefined {
    return this.#last?.error;
  }

  /** Milliseconds since that failure. */
  get sinceMs(): number {
    return this.#last ? this.#clock.now() - this.#last.at : 0;
  }

  /** Milliseconds until the next start. */
  get leftMs(): number {
    return Math.max(0, (this.#last?.retryAt ?? 0) - this.#clock.now());
  }

  /** `pauseMs` stands instead of the pause that the back-off would take. */
  failed(error: ServerFailure, pauseMs?: number): void {
    const { backOffMs } = this.#timings;
    const pause = pauseMs ?? backOffMs[Math.min(this.#failures, backOffMs.length - 1)] ?? 0;
    this.#failures++;
    const at = this.#clock.now();
    this.#last = { error, at, retryAt: at + pause };
  }

  started(): void {
    this.#last = undefined;
  }

  /** Takes how long a process lived that has ended now. */
  lived(ms: number): void {
    if (ms >= this.#timings.provenMs) this.#failures = 0;
  }
}

/** Waits so many milliseconds, or until the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
