import type { SpanEdit } from '../workspace/span.ts';

/** Where a stretch of a text (UTF-16 offsets) stands after edits of that text. */
export interface MovedRange {
  readonly start: number;
  readonly end: number;
  /** An edit reached into it or borders on it, so it may stand for something else now. */
  readonly isTouched: boolean;
}

/**
 * Moves a range through edits that all speak of the text before them. What was inserted at its start lies before it,
 * what was inserted at its end behind it. A range inside a replaced stretch becomes all that replaced it.
 */
export function moveRange(range: MovedRange, edits: readonly SpanEdit[]): MovedRange {
  let { start, end, isTouched } = range;
  let shift = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const growth = edit.newText.length - (edit.end - edit.start);
    if (edit.end < range.start || (edit.end === range.start && edit.start <= range.start)) {
      isTouched ||= edit.end === range.start;
      shift += growth;
      start = range.start + shift;
      end = range.end + shift;
    } else if (edit.start < range.end) {
      isTouched = true;
      if (edit.start <= range.start) start = edit.start + shift;
      shift += growth;
      end = Math.max(range.end, edit.end) + shift;
    } else {
      isTouched ||= edit.start === range.end;
      break;
    }
  }
  return { start, end, isTouched };
}

/** The stretches of the text after `edits` that they wrote, borders included. */
export function writtenSpans(edits: readonly SpanEdit[]): readonly { readonly start: number; readonly end: number }[] {
  let shift = 0;
  return [...edits]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((edit) => {
      const start = edit.start + shift;
      shift += edit.newText.length - (edit.end - edit.start);
      return { start, end: start + edit.newText.length };
    });
}
