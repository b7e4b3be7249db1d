import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import { likeTheOld, lineEndingsOf, withLineEndings } from '../workspace/line-endings.ts';
import { type FileBefore, type FoundFile, type PlannedChange, plannedText } from './change-request.ts';
import type { LandedFile } from './landed-file.ts';
import { splitLines } from './line-hunks.ts';
import { coversLines } from './line-ranges.ts';
import { addedElision } from './match/elision.ts';
import { lineEdits } from './merge/line-edits.ts';
import { type Refusal, refuse } from './refusal.ts';
import { elision } from './refusal-words.ts';
import { cutOff, staleWrite, unseenWrite } from './seen-words.ts';
import type { Session } from './session.ts';
import { ledgerOf, seenContent } from './session-ledger.ts';

/** A file with a text, and what is to stand there instead. */
interface WholeText {
  readonly file: FileBefore & { readonly found: FoundFile };
  readonly snapshot: DocumentSnapshot;
  readonly content: string;
}

/** `isUnseen`: the session had not read the file; `keptEndings`: the content came with LF, and was written with these. */
type WholeTextPlan =
  | (PlannedChange & { readonly isUnseen: boolean; readonly keptEndings: 'crlf' | 'cr' | undefined })
  | Refusal;

/** Fewer lines than this are not missed. */
const MANY_LINES = 20;

/**
 * Plans other content for a file: in its own line ends and with its own mark. Refused where it would drop what others
 * changed since the session read it, or where it looks as if its writer left something out.
 */
export function planWholeText(session: Session, { file, snapshot, content }: WholeText): WholeTextPlan {
  const before = snapshot.text;
  const own = snapshot.form.hasBom ? content.replace(/^\ufeff/, '') : content;
  const written = likeTheOld(own, before);
  const edits = lineEdits(before, written);
  if (edits.length === 0) return refuse('identical', `${file.shown} already has this content. Nothing to do.`);
  const look = ledgerOf(session).look(file.path, seenContent(file.found.bytes, snapshot));
  if (look.status === 'changed') return staleWrite(file.shown, look.lines);
  const lines = splitLines(before).length;
  const isUnseen = look.status === 'unseen' && before !== '';
  if (isUnseen && session.options.strictWrite) return unseenWrite(file.shown, lines);
  const mark = addedElision(content, '', before);
  if (mark !== undefined) return elision(mark);
  const kept = cutAt(before, own);
  if (kept !== undefined) return cutOff(file.shown, kept, lines);
  const endings = lineEndingsOf(before);
  const keptEndings = written !== own && (endings === 'crlf' || endings === 'cr') ? endings : undefined;
  const known = ledgerOf(session).knownLines(file.path, seenContent(file.found.bytes, snapshot));
  const isBlind = !coversLines(known, lines);
  return { ...plannedText(file, { edits, ...(isBlind && { isBlind }) }), isUnseen, keptEndings };
}

/** A session that wrote a file whole knows all of it. */
export function rememberWhole(session: Session, files: readonly LandedFile[]): void {
  for (const { after, sha256 } of files) {
    if (!after || sha256.after === null) continue;
    const content = { hash: sha256.after, text: after.text };
    ledgerOf(session).sawLines(after.path, content, [1, splitLines(after.text).length]);
  }
}

/** The line in the middle of which content ends that is the beginning of a much longer text. */
function cutAt(before: string, content: string): number | undefined {
  const [old, now] = [withLineEndings(before, 'lf'), withLineEndings(content, 'lf')];
  if (now === '' || now.endsWith('\n') || !old.startsWith(now) || old[now.length] === '\n') return undefined;
  const kept = splitLines(now).length;
  return splitLines(old).length - kept >= MANY_LINES ? kept : undefined;
}
