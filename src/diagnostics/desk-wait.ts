import type { Clock } from '../workspace/clock.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { ServerSession } from '../workspace/language-server/server-session.ts';
import type { DeskAnswer } from './desk-answer.ts';
import type { ServerAnswer } from './report.ts';

/** The share of a budget that a call waits while its server is at the change of another. */
const BEHIND = 1 / 3;

/**
 * How long one may wait for one server. While it has not answered yet since it started only one call waits, and after
 * a wait that ran out nobody does until what was waited for has come: so a server that is loading or hung costs one
 * budget, not one for each edit. Behind a change that the server is long at, a call waits for a part of its budget.
 */
export class DeskWait {
  readonly #server: LanguageServer;
  readonly #clock: Clock;
  #answeredIn: ServerSession | undefined;
  #waiters = 0;
  /** What others wait for, or waited for in vain. */
  readonly #outstanding = new Set<Promise<DeskAnswer>>();
  #overdue = 0;
  #slowSince: number | undefined;

  constructor(server: LanguageServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  /** It has not answered since it started, or was waited for in vain. */
  get isBehind(): boolean {
    return this.#overdue > 0 || this.#isCold;
  }

  get #isCold(): boolean {
    return this.#server.session === undefined || this.#answeredIn !== this.#server.session;
  }

  /** The answer, or `undefined` when it has not come within `budgetMs` or nobody may wait. */
  async wait(
    answer: Promise<DeskAnswer>,
    budgetMs: number,
    signal: AbortSignal | undefined,
  ): Promise<DeskAnswer | undefined> {
    const isCold = this.#isCold;
    this.#slowSince ??= this.#clock.now();
    const settled = answer.then((value) => {
      this.#slowSince = undefined;
      if (value.status === 'answered') this.#answeredIn = this.#server.session;
      return value;
    });
    const mayWait = this.#overdue === 0 && !(isCold && this.#waiters > 0);
    const started = this.#clock.now();
    const ahead = [...this.#outstanding];
    this.#outstanding.add(settled);
    void settled.then(() => this.#outstanding.delete(settled));
    const turn = Promise.race([settled, ...ahead]);
    if (mayWait && ahead.length > 0 && !(await within(turn, budgetMs * BEHIND, signal))) return undefined;

    this.#waiters++;
    const leftMs = budgetMs - (this.#clock.now() - started);
    const first = await within(settled, mayWait ? leftMs : 0, signal);
    this.#waiters--;
    // Who asked for no wait, or gave up early, has not waited in vain.
    if (!first && mayWait && budgetMs > 0 && !signal?.aborted) {
      this.#overdue++;
      void settled.then(() => this.#overdue--);
    }
    return first;
  }

  /** How the server stands in a report, given what came of the wait. */
  describe(answer: DeskAnswer | undefined): ServerAnswer {
    const { definition, version } = this.#server.resolved;
    const named = { name: definition.name, version: version ?? this.#server.session?.serverVersion ?? null };
    switch (answer?.status) {
      case 'answered':
        return { ...named, state: 'fresh' };
      case 'unavailable':
        return { ...named, state: 'unavailable', reason: answer.reason };
      case undefined:
        return { ...named, state: 'pending', ...this.#whyPending() };
    }
  }

  #whyPending(): { readonly reason: string; readonly sinceMs: number } {
    const { state } = this.#server;
    const slowMs = this.#clock.now() - (this.#slowSince ?? this.#clock.now());
    switch (state.status) {
      case 'failed':
        return { reason: `starting again (${state.reason})`, sinceMs: Math.round(state.sinceMs) };
      case 'starting':
      case 'stopped':
        return { reason: 'starting', sinceMs: Math.round(slowMs) };
      case 'running':
        return {
          reason: this.#answeredIn === this.#server.session ? 'busy' : 'loading',
          sinceMs: Math.round(slowMs),
        };
    }
  }
}

/** What a promise gives, or `undefined` when it has not within `ms` or the signal aborts. */
export async function within<T>(
  promise: Promise<T>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  let stop = (): void => {};
  const over = new Promise<undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
    const onAbort = (): void => resolve(undefined);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    stop();
  }
}
