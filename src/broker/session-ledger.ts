import { createHash } from 'node:crypto';
import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import type { LandedFile } from './landed-file.ts';
import { createLedger, type Ledger, type Look, type SeenContent } from './ledger.ts';
import { splitLines } from './line-hunks.ts';
import type { LineRange } from './line-ranges.ts';
import { changedBackNote, changedElsewhereNote } from './seen-words.ts';
import type { Session } from './session.ts';

const ledgers = new WeakMap<object, Ledger>();

/** What this session has read and written. */
export function ledgerOf(session: Pick<Session, 'memory'>): Ledger {
  const ledger = ledgers.get(session.memory) ?? createLedger();
  ledgers.set(session.memory, ledger);
  return ledger;
}

/** A file's content as the ledger knows it. */
export function seenContent(bytes: Uint8Array, snapshot: DocumentSnapshot): SeenContent {
  return { hash: createHash('sha256').update(bytes).digest('hex'), text: snapshot.text };
}

/** The session was shown these lines of a document. */
export function rememberRead(
  session: Session,
  document: { readonly bytes: Uint8Array; readonly snapshot: DocumentSnapshot },
  lines: LineRange,
): void {
  ledgerOf(session).sawLines(document.snapshot.path, seenContent(document.bytes, document.snapshot), lines);
}

/** Says where the session's last change of a document is gone again. */
export function undoneNote(
  session: Session,
  document: { readonly bytes: Uint8Array; readonly snapshot: DocumentSnapshot },
): string | undefined {
  const { snapshot, bytes } = document;
  const receipt = ledgerOf(session).findUndone(snapshot.path, seenContent(bytes, snapshot));
  return receipt === undefined ? undefined : changedBackNote('the file', receipt);
}

/**
 * Writes a landed change into the ledger; the notes tell, once, what others changed in its files since they were read.
 */
export function rememberLanded(
  session: Session,
  change: { readonly receipt: string; readonly files: readonly LandedFile[] },
): readonly string[] {
  const { receipt, files } = change;
  const ledger = ledgerOf(session);
  const known = files.map((file) => lookedAt(ledger, file));
  // All that is moved goes first: its path may be another file's now.
  const moved = files.filter(({ op }) => op === 'move');
  const taken = moved.map(({ planned, after }) => ({ to: after?.path, what: ledger.take(planned.file.path) }));
  for (const { to, what } of taken) if (to !== undefined) ledger.put(to, what);
  return known.flatMap((one) => rememberFile(ledger, one, { receipt, isOne: files.length === 1 }));
}

interface KnownFile {
  readonly file: LandedFile;
  readonly look: Look | undefined;
  /** The receipt of the session's change that was changed back. */
  readonly undone: string | undefined;
}

function lookedAt(ledger: Ledger, file: LandedFile): KnownFile {
  const { path } = file.planned.file;
  const before = contentOf(file.before, file.sha256.before);
  return {
    file,
    look: before ? ledger.look(path, before) : undefined,
    undone: before ? ledger.findUndone(path, before) : undefined,
  };
}

function rememberFile(
  ledger: Ledger,
  { file, look, undone }: KnownFile,
  { receipt, isOne }: { readonly receipt: string; readonly isOne: boolean },
): readonly string[] {
  const before = contentOf(file.before, file.sha256.before);
  const after = contentOf(file.after, file.sha256.after);
  const now = file.after?.path ?? file.planned.file.path;
  // What an Undo brings back the session need not have seen.
  if (!isBroughtBack(file)) ledger.wrote(now, { before, after, receipt });
  rememberAsked(ledger, file, receipt);
  const name = isOne ? 'the file' : file.shown;
  if (undone !== undefined) return [changedBackNote(name, undone)];
  if (look?.status !== 'changed' || !look.isNews) return [];
  const left = after ? ledger.look(now, after) : undefined;
  return [changedElsewhereNote(name, left?.status === 'changed' ? left.lines : look.lines)];
}

/** A file that was not there and whose bytes were kept. */
function isBroughtBack({ op, planned }: LandedFile): boolean {
  return op === 'create' && planned.op === 'write' && planned.bytes !== undefined;
}

/** Keeps the insertions that landed, each with the lines that it left and the two beside them. */
function rememberAsked(ledger: Ledger, { planned, after }: LandedFile, receipt: string): void {
  if (planned.op === 'remove' || !after) return;
  const made = (planned.asked ?? []).filter(({ oldString, newString }) => newString.includes(oldString));
  if (made.length === 0) return;
  const lines = splitLines(after.text);
  for (const { oldString, newString, lines: own } of made) {
    const left = lines.slice(Math.max(0, own[0] - 2), own[1] + 1).join('');
    ledger.remember(after.path, { oldString, newString, receipt, left });
  }
}

function contentOf(snapshot: DocumentSnapshot | undefined, hash: string | null): SeenContent | undefined {
  return snapshot && hash !== null ? { hash, text: snapshot.text } : undefined;
}
