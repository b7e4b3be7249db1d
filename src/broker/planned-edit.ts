import { TextDocument } from 'vscode-languageserver-textdocument';
import { applySpanEdits, type SpanEdit } from '../workspace/span.ts';
import type { EditChanges } from './edit-changes.ts';
import type { EditHunk, PlannedEdit } from './edit-plan.ts';
import { lineHunks } from './line-hunks.ts';
import { lineNumber } from './line-numbers.ts';
import { lineStart } from './match/gap.ts';
import { lineEdits } from './merge/line-edits.ts';
import type { OpenedEdit } from './opened-edit.ts';

/** The changes as edits of the whole text, its byte order mark included. */
export function plannedEdit(
  { whole: text, mark, searched }: OpenedEdit,
  { places, matchedVia, detail }: Pick<EditChanges, 'places' | 'matchedVia' | 'detail'>,
): PlannedEdit {
  const edits: SpanEdit[] = [];
  const keptOffsets: number[] = [];
  let shift = mark;
  for (const { start, end, newText, kept } of places) {
    const old = text.slice(mark + start, mark + end);
    for (const edit of lineEdits(old, newText, searched.budget)) {
      edits.push({ start: mark + start + edit.start, end: mark + start + edit.end, newText: edit.newText });
    }
    keptOffsets.push(...kept.map((offset) => start + shift + offset));
    shift += newText.length - (end - start);
  }
  const after = keptOffsets.length > 0 ? applySpanEdits(text, edits) : text;
  return {
    status: 'planned',
    edits,
    matchedVia,
    ...(detail === undefined ? {} : { detail }),
    places: places.length,
    kept: [...new Set(keptOffsets.map((offset) => lineNumber(after, offset)))].sort((a, b) => a - b),
    hunks: hunksOf(text, edits),
  };
}

/** The hunks, from the lines about the edits alone. */
function hunksOf(text: string, edits: readonly SpanEdit[]): readonly EditHunk[] {
  const [first, last] = [edits[0], edits.at(-1)];
  if (!first || !last) return [];
  const start = lineStart(text, first.start);
  const stop = text.indexOf('\n', last.end);
  const end = stop < 0 ? text.length : stop + 1;
  const document = TextDocument.create('', '', 0, text.slice(start, end));
  const above = lineNumber(text, start) - 1;
  const local = edits.map((edit) => ({ start: edit.start - start, end: edit.end - start, newText: edit.newText }));
  return lineHunks(document, local).map(({ old, new: now }) => ({
    old: [old[0] + above, old[1]],
    new: [now[0] + above, now[1]],
  }));
}
