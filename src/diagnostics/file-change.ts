import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import { differenceOf } from '../workspace/language-server/content-change.ts';
import { FILE_CHANGE, type FileChangeType } from '../workspace/language-server/registrations.ts';
import type { Origin, Step } from './delta.ts';
import type { WrittenChange } from './diagnostics-board.ts';

/** All that happened to one file since its last answer, as one change. */
export interface FileChange {
  readonly path: string;
  readonly type: FileChangeType;
  /** The text before the first change. */
  readonly before: DocumentSnapshot | undefined;
  /** The text after the last. */
  readonly after: DocumentSnapshot | undefined;
  /** From `before` to `after`; none where either is absent. */
  readonly steps: readonly Step[];
  /** The last change of them: what is new is put down to it. */
  readonly origin: Origin;
}

/** One change for each file, in the order in which the files were first changed. */
export function mergeChanges(changes: readonly WrittenChange[]): readonly FileChange[] {
  const byPath = new Map<string, FileChange>();
  for (const change of changes) {
    const path = pathOfChange(change);
    const earlier = byPath.get(path);
    const before = earlier ? earlier.before : change.before;
    const type = changeTypeOf(before, change.after);
    const steps = change.after && before ? [...(earlier?.steps ?? []), ...stepsOf(change, earlier)] : [];
    const origin = { session: change.session, receipt: change.receipt };
    byPath.set(path, { path, type, before, after: change.after, steps, origin });
  }
  return [...byPath.values()];
}

/**
 * The same as one change for each file, put down to the last of them: it takes no more room, however many there were. A
 * file that came and went is none.
 */
export function condenseChanges(changes: readonly WrittenChange[]): readonly WrittenChange[] {
  return mergeChanges(changes).flatMap(({ before, after, origin }) => {
    if (!before && !after) return [];
    const edits = before && after ? [differenceOf(before.text, after.text)] : [];
    return [{ ...origin, before, after, edits }];
  });
}

/** @throws RangeError when a change has neither a text before nor one after */
export function pathOfChange(change: WrittenChange): string {
  const path = (change.after ?? change.before)?.path;
  if (path === undefined) throw new RangeError(`change ${change.receipt} has no text before and none after`);
  return path;
}

function stepsOf(change: WrittenChange, earlier: FileChange | undefined): readonly Step[] {
  const { before, edits } = change;
  if (!before) return [];
  const last = earlier?.after;
  // Somebody else changed the file between two of ours.
  const between =
    last && last.text !== before.text
      ? [{ before: last.textDocument, edits: [differenceOf(last.text, before.text)] }]
      : [];
  return [...between, { before: before.textDocument, edits }];
}

/** What happened to a file between two texts. */
export function changeTypeOf(
  before: DocumentSnapshot | undefined,
  after: DocumentSnapshot | undefined,
): FileChangeType {
  if (!after) return FILE_CHANGE.deleted;
  return before ? FILE_CHANGE.changed : FILE_CHANGE.created;
}
