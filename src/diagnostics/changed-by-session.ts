import type { WrittenChange } from './diagnostics-board.ts';
import { pathOfChange } from './file-change.ts';

/** Which files each session has changed. */
export class ChangedBySession {
  readonly #paths = new Map<string, Set<string>>();

  note(changes: readonly WrittenChange[]): void {
    for (const change of changes) {
      const paths = this.#paths.get(change.session) ?? new Set();
      this.#paths.set(change.session, paths.add(pathOfChange(change)));
    }
  }

  /** In the order in which they were first changed; of every session where none is named. */
  files(session: string | undefined): readonly string[] {
    if (session !== undefined) return [...(this.#paths.get(session) ?? [])];
    return [...new Set([...this.#paths.values()].flatMap((paths) => [...paths]))];
  }
}
