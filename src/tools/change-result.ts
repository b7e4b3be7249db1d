import { createHash } from 'node:crypto';
import type { FileBefore } from '../broker/change-request.ts';
import { fileReceipt } from '../broker/file-receipt.ts';
import type { LandedChange, UndoKept } from '../broker/land-change.ts';
import type { LandedFile } from '../broker/landed-file.ts';
import { noteLanded } from '../broker/landed-receipts.ts';
import { diagnosticsLines, keptNote, landedLine, overwroteLine, plannedLine } from '../broker/outcome-words.ts';
import type { FileReceipt, Receipt } from '../broker/receipt.ts';
import { type Refusal, refusalText } from '../broker/refusal.ts';
import { type Session, saysFirst } from '../broker/session.ts';
import { isMostlyServed } from '../workspace/language-ids.ts';
import { indentNote } from '../workspace/new-file-style.ts';
import { changedSymbol } from './navigation/changed-symbol.ts';
import { sharedSnippets } from './shared-snippets.ts';
import type { LookedAt, ToolCall, ToolResult } from './tool.ts';

/** Who calls and under which receipt. */
interface ChangeCall {
  readonly tool: string;
  readonly receipt: string;
  readonly startedMs: number;
  readonly call: ToolCall;
}

/** Begins a call that may change files: takes its receipt id. */
export async function beginChange(tool: string, call: ToolCall): Promise<ChangeCall> {
  const { root } = call.session;
  return { tool, call, startedMs: root.clock.now(), receipt: await root.nextReceiptId() };
}

/** Nothing was changed. */
export function refusedResult(
  change: ChangeCall,
  refusal: Pick<Refusal, 'code' | 'message'> & { readonly opened?: readonly FileBefore[] },
): ToolResult {
  const receipt: Receipt = { ...head(change), ok: false, code: refusal.code, files: [] };
  return { ok: false, text: refusalText(refusal), receipt, looked: lookedAt(refusal.opened ?? []) };
}

/** How a landed change is told; `write`: a file that was there is called overwritten, and its lines are not shown. */
interface Telling {
  readonly as: 'edit' | 'write' | 'dry run';
  readonly note?: string;
  /** The change that this one took back. */
  readonly undoes?: string;
}

/** What a landed change reads like, once its diagnostics are known or their time is up. */
export async function landedResult(change: ChangeCall, landed: LandedChange, telling: Telling): Promise<ToolResult> {
  const { session } = change.call;
  const undoes = telling.undoes === undefined ? {} : { undoes: telling.undoes };
  if (landed.undo.isKept || telling.undoes !== undefined) noteLanded(session, { receipt: change.receipt, ...undoes });
  const diagnostics = await landed.diagnostics;
  const [first] = landed.files;
  const isOne = change.call.symbols === 'shown' && telling.as === 'edit' && landed.files.length === 1;
  const symbol = isOne && first ? await changedSymbol(change.call, first, diagnostics) : undefined;
  const files = landed.files.map((file) => ({ file, receipt: fileReceipt(file) }));
  const snippets = sharedSnippets(
    files.map(({ receipt }) => (showsLines(session, receipt, telling) ? linesOf(receipt, telling) : undefined)),
  );
  const shown = landed.files[0]?.shown ?? '';
  const lines = [
    telling.as === 'dry run' ? 'Dry run: nothing was written.' : undefined,
    ...files.flatMap(({ file, receipt }, index) => [
      headLine(change, { file, receipt }, telling),
      keptNote(receipt.kept ?? []),
      index === 0 ? telling.note : undefined,
      newFileNote(file),
      snippets[index],
    ]),
    ...landed.notes,
    ...diagnosticsLines(
      diagnostics,
      files.length > 1 ? `these ${files.length} files` : shown,
      session.options.pendingHint,
    ),
    symbol,
    noServerNote(session, landed, diagnostics.state),
    telling.as === 'dry run' ? undefined : undoNote(session, landed.undo),
  ];
  return {
    ok: true,
    text: lines.filter((line) => line !== undefined).join('\n'),
    receipt: {
      ...head(change),
      ok: true,
      files: files.map(({ receipt }) => receipt),
      ...(telling.as === 'dry run' && { dry_run: true }),
      diagnostics,
      ...(landed.undo.isKept && { undo: change.receipt }),
      ...undoes,
    },
    looked: lookedAt(landed.opened),
  };
}

function headLine(
  change: ChangeCall,
  { file, receipt }: { readonly file: LandedFile; readonly receipt: FileReceipt },
  telling: Telling,
): string {
  if (telling.as === 'dry run') return plannedLine(receipt);
  if (telling.as === 'write' && file.op === 'edit') return overwroteLine(receipt, change.receipt);
  return landedLine(receipt, change.receipt, file.planned.op === 'remove' ? undefined : file.planned.detail);
}

/** A new file that is indented in another way than the project asks for. */
function newFileNote({ op, planned, after }: LandedFile): string | undefined {
  const style = op === 'create' ? planned.file.style : undefined;
  return style && after && indentNote(after.text, style);
}

function showsLines(session: Session, file: FileReceipt, telling: Telling): boolean {
  if (telling.as === 'dry run') return true;
  if (file.op === 'delete' || (telling.as === 'write' && file.op === 'edit')) return false;
  const tolerant = file.matched_via !== undefined && file.matched_via !== 'exact';
  return session.options.snippet === 'always' || (session.options.snippet === 'tolerant' && tolerant);
}

function linesOf(file: FileReceipt, telling: Telling): string | undefined {
  return telling.as === 'dry run' ? file.diff.trimEnd() : file.snippet;
}

function head(change: ChangeCall): Pick<Receipt, 'id' | 'tool' | 'ms'> {
  const ms = Math.round(change.call.session.root.clock.now() - change.startedMs);
  return { id: change.receipt, tool: change.tool, ms };
}

function lookedAt(files: readonly FileBefore[]): readonly LookedAt[] {
  return files.map(({ shown, found }) => ({
    path: shown,
    sha256: found ? createHash('sha256').update(found.bytes).digest('hex') : null,
  }));
}

/** Said once per language and session, so that silence is not taken for a clean file; not where nobody expects a server. */
function noServerNote(session: Session, landed: LandedChange, state: string): string | undefined {
  const languageId = landed.files.find(({ after }) => after)?.after?.textDocument.languageId ?? 'plaintext';
  if (state !== 'none' || !isMostlyServed(languageId)) return undefined;
  return saysFirst(session, `no server for ${languageId}`)
    ? `note: no language server for ${languageId} here; its edits come without diagnostics`
    : undefined;
}

/** Said once for each cause. */
function undoNote(session: Session, undo: UndoKept): string | undefined {
  if (undo.isKept || !saysFirst(session, `no undo: ${undo.why}`)) return undefined;
  return `note: this change landed but can not be undone by its id: ${undo.why}`;
}
