import type { DependantPass } from './dependant-pass.ts';
import type { WrittenChange } from './diagnostics-board.ts';
import { pathOfChange } from './file-change.ts';
import type { FileNews } from './file-ledger.ts';

/** What a server came to say about the files of one call, by path. */
export type DeskAnswer =
  | {
      readonly status: 'answered';
      readonly news: ReadonlyMap<string, FileNews>;
      /** What the changes did to other files; it goes on after the answer. */
      readonly pass: DependantPass | undefined;
    }
  | { readonly status: 'unavailable'; readonly reason: string };

/** The part of an answer that is about the files of these changes. */
export function newsFor(
  changes: readonly WrittenChange[],
  answer: Extract<DeskAnswer, { status: 'answered' }>,
): FileNews[] {
  const paths = new Set(changes.map(pathOfChange));
  return [...paths].flatMap((path) => answer.news.get(path) ?? []);
}
