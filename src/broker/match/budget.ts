/**
 * What one edit may cost: a step is one diagonal of an alignment, about 0.1 µs, and all other work that grows with the
 * strings (indexing, reading, voting, merging, writing, the hint) is reckoned in such steps. Once it is spent nothing
 * more is compared, and what was found so far proves nothing: there may be another place.
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

  /** 0 once it is spent. */
  get left(): number {
    return Math.max(0, this.#most - this.#spent);
  }

  get isGone(): boolean {
    return this.#spent > this.#most;
  }

  /** Takes so many steps; false where they are more than is left. */
  spend(steps: number): boolean {
    this.#spent += steps;
    return !this.isGone;
  }

  /** Takes all: what is asked can't be told at any price. */
  exhaust(): void {
    this.#spent = Number.POSITIVE_INFINITY;
  }
}

/** About a second on a machine of 2024. */
const MAX_STEPS = 12_000_000;
