/** Milliseconds; the defaults are for people, tests take shorter ones. */
export interface ServerTimings {
  readonly initializeMs: number;
  /** A server that leaves a request unanswered this long is ended and started anew. */
  readonly requestMs: number;
  /** Without a request of ours for so long it is stopped; the next one starts it again. */
  readonly idleMs: number;
  /** The pause before each start that follows a failure; the last holds for all further ones. */
  readonly backOffMs: readonly number[];
  /** A server that ran this long had nothing wrong with it: the back-off begins anew. */
  readonly provenMs: number;
  /** One that was ended because it had too much memory is not started for so long. */
  readonly memoryPauseMs: number;
  /** Between two looks at the memory that all have. */
  readonly memoryLookMs: number;
}

/** The defaults. */
export const SERVER_TIMINGS: ServerTimings = {
  initializeMs: 60_000,
  requestMs: 90_000,
  idleMs: 15 * 60_000,
  backOffMs: [500, 2000, 8000, 30_000],
  provenMs: 60_000,
  memoryPauseMs: 5 * 60_000,
  memoryLookMs: 5000,
};
