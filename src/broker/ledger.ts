import { changedRanges, type HashedLines, hashLines, lineChanges, mapRanges } from './line-changes.ts';
import { type LineRange, mergeRanges, touchesRanges, withoutRange } from './line-ranges.ts';

/** A file's content: a hash of its raw bytes, which alone decides whether it is the same, and its text. */
export interface SeenContent {
  readonly hash: string;
  readonly text: string;
}

/** What a session knows of a file's content. Lines are 1-based, of the content that was asked about. */
export type Look =
  | { readonly status: 'unseen' }
  | { readonly status: 'same' }
  /** Lines changed since the session saw them; `isNews`: it was not told of these yet. */
  | { readonly status: 'changed'; readonly lines: readonly LineRange[]; readonly isNews: boolean };

/** An edit that a session made, to know it when it comes again. */
export interface MadeEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly receipt: string;
  /** The whole lines that it left, with their line ends. */
  readonly left: string;
}

/**
 * What one session has read and written, by real path. Content decides, never time: a file that was touched, or saved
 * again with the same bytes, is the same.
 */
export interface Ledger {
  /** The session was shown these lines of a file. */
  sawLines(path: string, content: SeenContent, lines: LineRange): void;
  /** The session changed a file. What others had changed before stays unread. */
  wrote(path: string, write: LedgerWrite): void;
  /** Takes out what is known of a file that goes elsewhere. */
  take(path: string): Taken;
  /** Knows that of the file now at this path. */
  put(path: string, taken: Taken): void;
  /** The session's last change of a file that was changed back since: the content is again what it was before. */
  findUndone(path: string, content: SeenContent): string | undefined;
  look(path: string, content: SeenContent): Look;
  /** The lines of this content that the session was shown or wrote, and that are as it knows them. */
  knownLines(path: string, content: SeenContent): readonly LineRange[];
  remember(path: string, edit: MadeEdit): void;
  /** An earlier edit with the same strings whose lines still stand in the text. */
  findMade(path: string, edit: Pick<MadeEdit, 'oldString' | 'newString'>, text: string): MadeEdit | undefined;
}

/** A change that a session made: from and to what content (absent: no file), under which receipt. */
interface LedgerWrite {
  readonly before: SeenContent | undefined;
  readonly after: SeenContent | undefined;
  readonly receipt: string;
}

/** What a ledger knew of one file. */
export interface Taken {
  readonly file: KnownFile | undefined;
  readonly made: readonly MadeEdit[] | undefined;
}

interface KnownFile {
  readonly hash: string;
  readonly lines: HashedLines;
  readonly known: readonly LineRange[];
  /** Changed by others, and not shown since. */
  readonly changed: readonly LineRange[];
  readonly isTold: boolean;
  /** The hash before the session's last change, and its receipt. */
  readonly lastWrite?: { readonly before: string; readonly receipt: string };
}

const MAX_MADE = 50;

/** A ledger that has seen nothing yet. What it knows goes by content, never by the time of a file. */
export function createLedger(): Ledger {
  const files = new Map<string, KnownFile>();
  const made = new Map<string, readonly MadeEdit[]>();

  /** What was known, of this content. */
  const broughtTo = (file: KnownFile, content: SeenContent): KnownFile => {
    if (file.hash === content.hash) return file;
    const lines = hashLines(content.text);
    const changes = lineChanges(file.lines, lines);
    return {
      ...file,
      hash: content.hash,
      lines,
      known: mapRanges(file.known, changes),
      changed: mergeRanges([...mapRanges(file.changed, changes), ...changedRanges(changes, lines.length)]),
      isTold: file.isTold && changes.length === 0,
    };
  };

  return {
    sawLines(path, content, range) {
      const before = files.get(path);
      const file = before ? broughtTo(before, content) : emptyFile(content);
      const known = mergeRanges([...file.known, range]);
      files.set(path, { ...file, known, changed: withoutRange(file.changed, range) });
    },

    wrote(path, { before, after, receipt }) {
      if (!after) {
        files.delete(path);
        return;
      }
      const old = files.get(path);
      const lines = hashLines(after.text);
      if (!before) {
        files.set(path, { hash: after.hash, lines, known: [[1, lines.length]], changed: [], isTold: false });
        return;
      }
      const file = old ? broughtTo(old, before) : emptyFile(before);
      const changes = lineChanges(file.lines, lines);
      const own = changes.flatMap(({ new: [first, count] }): LineRange[] =>
        count > 0 ? [[first, first + count - 1]] : [],
      );
      const lastWrite = { before: before.hash, receipt };
      files.set(path, {
        lastWrite,
        hash: after.hash,
        lines,
        known: mergeRanges([...mapRanges(file.known, changes), ...own]),
        changed: mapRanges(file.changed, changes),
        isTold: file.changed.length > 0,
      });
    },

    take(path) {
      const taken = { file: files.get(path), made: made.get(path) };
      files.delete(path);
      made.delete(path);
      return taken;
    },

    put(path, taken) {
      if (taken.file) files.set(path, taken.file);
      if (taken.made) made.set(path, taken.made);
    },

    findUndone(path, content) {
      const file = files.get(path);
      return file?.hash !== content.hash && file?.lastWrite?.before === content.hash
        ? file.lastWrite.receipt
        : undefined;
    },

    look(path, content) {
      const file = files.get(path);
      if (!file || file.known.length === 0) return { status: 'unseen' };
      const now = broughtTo(file, content);
      if (now.changed.length > 0) return { status: 'changed', lines: now.changed, isNews: !now.isTold };
      return { status: 'same' };
    },

    knownLines(path, content) {
      const file = files.get(path);
      return file ? broughtTo(file, content).known : [];
    },

    remember(path, edit) {
      made.set(path, [...(made.get(path) ?? []), edit].slice(-MAX_MADE));
    },

    findMade(path, { oldString, newString }, text) {
      return made
        .get(path)
        ?.findLast((edit) => edit.oldString === oldString && edit.newString === newString && text.includes(edit.left));
    },
  };
}

function emptyFile(content: SeenContent): KnownFile {
  return { hash: content.hash, lines: hashLines(content.text), known: [], changed: [], isTold: false };
}

/** Whether a session knows some lines of a file, but none of these. */
export function isElsewhere(known: readonly LineRange[], range: LineRange): boolean {
  return known.length > 0 && !touchesRanges(known, range);
}
