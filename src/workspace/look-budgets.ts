/** Milliseconds that an answer waits for what it can do without; what was not seen by then is said not to be known. */
export interface LookBudgets {
  /** For how much more there is than is shown: at least this long, and as long as it took to find what is. */
  readonly countMs: number;
  /** For ignored and binary files that match too; a long search is made longer by less. */
  readonly passedOverMs: number;
  /** For the files that a command has changed. */
  readonly changedMs: number;
}

/** What holds where nobody says otherwise. */
export const LOOK_BUDGETS: LookBudgets = { countMs: 25, passedOverMs: 200, changedMs: 300 };
