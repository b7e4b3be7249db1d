/**
 * What the comparisons of one edit may cost in all: a step is one diagonal of an alignment, and
 * reading, voting and merging are reckoned in such steps. Once it is spent nothing more is compared, and what was found so far proves
 * nothing: there may be another place.
 */
export class Budget {
  #spent = 0;
  readonly #most: number;

  constructor(most: number = MAX_STEPS) {
    this.#most = most;
  }

  get spent(): number {
    return this.#spent;
  }

  get isGone(): boolean {
    return this.#spent > this.#most;
  }

  /** Takes so many steps; false where they are more than is left. */
  spend(steps: number): boolean {
    this.#spent += steps;
    return !this.isGone;
  }
}

export const MAX_STEPS = 12_000_000;
