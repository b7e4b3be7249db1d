import type { WrittenChange } from './diagnostics-board.ts';
import { pathOfChange } from './file-change.ts';

/** Which files each session has changed, and by which receipt last. */
export class ChangedBySession {
  readonly #paths = new Map<string, Map<string, number>>();

  note(changes: readonly WrittenChange[]): void {
    for (const change of changes) {
      const paths = this.#paths.get(change.session) ?? new Map<string, number>();
      this.#paths.set(change.session, paths.set(pathOfChange(change), numberOf(change.receipt)));
    }
  }

  /**
   * In the order in which they were first changed; of every session where none is named, and with `since` those that
   * this receipt or a later one changed.
   */
  files(session: string | undefined, since?: string): readonly string[] {
    const asked = session === undefined ? [...this.#paths.values()] : [this.#paths.get(session) ?? new Map()];
    const least = since === undefined ? 0 : numberOf(since);
    const files = asked.flatMap((paths) => [...paths].filter(([, last]) => last >= least).map(([path]) => path));
    return [...new Set<string>(files)];
  }
}

/** Receipts are counted: `e12`. */
function numberOf(receipt: string): number {
  return Number(/\d+/.exec(receipt)?.[0] ?? 0);
}
