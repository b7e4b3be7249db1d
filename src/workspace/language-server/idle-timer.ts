/** Calls `rest` when nothing was asked for so long (ms); what is at an answer is not idle, however long that takes. */
export class IdleTimer {
  readonly #ms: number;
  readonly #rest: () => void;
  #timer: NodeJS.Timeout | undefined;
  #unanswered = 0;
  #isOver = false;

  constructor(ms: number, rest: () => void) {
    this.#ms = ms;
    this.#rest = rest;
  }

  /** The time begins anew. */
  used(): void {
    if (this.#isOver) return;
    // Every call comes by here several times, and a timer that begins anew costs a part of a new one.
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(() => this.#unanswered === 0 && this.#rest(), this.#ms).unref();
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#unanswered += 1;
    this.used();
    try {
      return await work();
    } finally {
      this.#unanswered -= 1;
      this.used();
    }
  }

  /** For good. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
