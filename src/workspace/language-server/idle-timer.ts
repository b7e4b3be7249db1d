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
    clearTimeout(this.#timer);
    if (this.#isOver || this.#unanswered > 0) return;
    this.#timer = setTimeout(this.#rest, this.#ms);
    this.#timer.unref();
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
