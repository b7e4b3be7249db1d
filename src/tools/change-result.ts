import { fileReceipt } from '../broker/file-receipt.ts';
import type { LandedChange } from '../broker/land-change.ts';
import { diagnosticsLines, keptNote, landedLine, overwroteLine } from '../broker/outcome-words.ts';
import type { Receipt } from '../broker/receipt.ts';
import { type Refusal, refusalText } from '../broker/refusal.ts';
import { type Session, saysFirst } from '../broker/session.ts';
import type { ToolCall, ToolResult } from './tool.ts';

/** Who calls and under which receipt. */
export interface ChangeCall {
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
export function refusedResult(change: ChangeCall, refusal: Pick<Refusal, 'code' | 'message'>): ToolResult {
  const receipt: Receipt = { ...head(change), ok: false, code: refusal.code, files: [] };
  return { ok: false, text: refusalText(refusal), receipt };
}

/** How a landed change is told. */
export interface Telling {
  readonly as: 'edit' | 'overwrite';
  readonly note?: string;
}

/** What a landed change reads like, once its diagnostics are known or their time is up. */
export async function landedResult(change: ChangeCall, landed: LandedChange, telling: Telling): Promise<ToolResult> {
  const { session } = change.call;
  const diagnostics = await landed.diagnostics;
  const { snippet, ...file } = fileReceipt(landed);
  const tolerant = file.matched_via !== undefined && file.matched_via !== 'exact';
  const showsSnippet =
    telling.as === 'edit' &&
    (session.options.snippet === 'always' || (session.options.snippet === 'tolerant' && tolerant));
  const lines = [
    telling.as === 'overwrite'
      ? overwroteLine(file, change.receipt)
      : landedLine(file, change.receipt, landed.planned.detail),
    keptNote(landed.planned.kept ?? []),
    telling.note,
    ...(showsSnippet && snippet ? [snippet] : []),
    ...diagnosticsLines(diagnostics, landed.shown, session.options.pendingHint),
    noServerNote(session, landed, diagnostics.state),
  ];
  return {
    ok: true,
    text: lines.filter((line) => line !== undefined).join('\n'),
    receipt: {
      ...head(change),
      ok: true,
      files: [{ ...file, ...(snippet !== undefined && { snippet }) }],
      diagnostics,
      undo: change.receipt,
    },
  };
}

function head(change: ChangeCall): Pick<Receipt, 'id' | 'tool' | 'ms'> {
  const ms = Math.round(change.call.session.root.clock.now() - change.startedMs);
  return { id: change.receipt, tool: change.tool, ms };
}

/** Said once per language and session, so that silence is not taken for a clean file. */
function noServerNote(session: Session, landed: LandedChange, state: string): string | undefined {
  const { languageId } = landed.after.textDocument;
  if (state !== 'none' || languageId === 'plaintext') return undefined;
  return saysFirst(session, `no server for ${languageId}`)
    ? `note: no language server for ${languageId} here; its edits come without diagnostics`
    : undefined;
}
