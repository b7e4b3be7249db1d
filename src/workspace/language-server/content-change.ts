import type { Range, TextDocument } from 'vscode-languageserver-textdocument';
import { applySpanEdits, type SpanEdit } from '../span.ts';
import { type PositionEncoding, positionAt } from './position-encoding.ts';

/** An LSP `TextDocumentContentChangeEvent` with a range. */
interface ContentChange {
  readonly range: Range;
  readonly text: string;
}

/** Line separators that some servers count as line ends and LSP does not: positions after them mean different places. */
const DISPUTED_LINE_END = /[\u2028\u2029]/;

/**
 * The changes that turn `before` into `after`, to be applied one after the other as LSP does. They follow `edits`
 * where these do lead from one to the other, else they are one change between the first and the last difference.
 * `undefined`: positions in these texts are understood differently by different servers, so the whole text must go.
 */
export function contentChanges(
  before: TextDocument,
  after: string,
  options: { readonly encoding: PositionEncoding; readonly edits?: readonly SpanEdit[] | undefined },
): readonly ContentChange[] | undefined {
  const text = before.getText();
  if (DISPUTED_LINE_END.test(text) || DISPUTED_LINE_END.test(after)) return undefined;
  const edits = leadsTo(text, options.edits, after) ?? [differenceOf(text, after)];
  // From the last to the first, so that each speaks of offsets that the ones before it did not move.
  return [...edits]
    .map((edit) => wholeSymbols(text, edit))
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .map((edit) => ({
      range: {
        start: positionAt(before, edit.start, options.encoding),
        end: positionAt(before, edit.end, options.encoding),
      },
      text: edit.newText,
    }));
}

function leadsTo(
  before: string,
  edits: readonly SpanEdit[] | undefined,
  after: string,
): readonly SpanEdit[] | undefined {
  if (!edits || edits.length === 0) return undefined;
  const ordered = [...edits].sort((a, b) => a.start - b.start);
  // Neighbours that touch could be widened into each other, and their order would then matter.
  const isApart = ordered.every((edit, index) => edit.start > (ordered[index - 1]?.end ?? -2) + 1);
  try {
    return isApart && applySpanEdits(before, edits) === after ? edits : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** One edit from the first to the last difference of two texts. */
export function differenceOf(before: string, after: string): SpanEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  return { start, end: before.length - tail, newText: after.slice(start, after.length - tail) };
}

/** Widens an edit whose ends stand inside a `\r\n` or a surrogate pair: no LSP position can say such a place. */
function wholeSymbols(text: string, edit: SpanEdit): SpanEdit {
  const start = splits(text, edit.start) ? edit.start - 1 : edit.start;
  const end = splits(text, edit.end) ? edit.end + 1 : edit.end;
  return { start, end, newText: text.slice(start, edit.start) + edit.newText + text.slice(edit.end, end) };
}

function splits(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const left = text.charCodeAt(offset - 1);
  const right = text.charCodeAt(offset);
  const isPair = left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff;
  return isPair || (left === 0x0d && right === 0x0a);
}
