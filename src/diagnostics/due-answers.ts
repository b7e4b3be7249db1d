import type { Clock } from '../workspace/clock.ts';
import { within } from './desk-wait.ts';

/** What each session still waits for. */
export class DueAnswers {
  readonly #clock: Clock;
  readonly #bySession = new Map<string, Set<Promise<unknown>>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(session: string, answer: Promise<unknown>): void {
    const due = this.#bySession.get(session) ?? new Set();
    this.#bySession.set(session, due.add(answer));
    void answer.then(() => due.delete(answer));
  }

  /** Waits at most `ms` until a session waits for nothing, also for nothing that came up meanwhile. */
  async settle(session: string, ms: number): Promise<void> {
    const deadline = this.#clock.now() + ms;
    for (let due = this.#bySession.get(session); due && due.size > 0; ) {
      const left = deadline - this.#clock.now();
      if (left <= 0) return;
      await within(Promise.all(due), left, undefined);
    }
  }
}
