/** A half-open stretch of a text, in UTF-16 offsets: `start` is in it, `end` is not. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces the text of a span; an empty span inserts, an empty `newText` deletes. */
export interface SpanEdit extends Span {
  readonly newText: string;
}

/**
 * Applies edits that all speak of offsets in `text`, whatever their order. Two insertions at one offset keep their
 * order in the list. Law: `applySpanEdits(applySpanEdits(t, e), invertSpanEdits(t, e)) === t`.
 * @throws RangeError when edits overlap or reach outside the text
 */
export function applySpanEdits(text: string, edits: readonly SpanEdit[]): string {
  let result = '';
  let offset = 0;
  for (const edit of inOrder(text, edits)) {
    result += text.slice(offset, edit.start) + edit.newText;
    offset = edit.end;
  }
  return result + text.slice(offset);
}

/**
 * The edits that undo `edits`: they speak of offsets in the text after it.
 * @throws RangeError when edits overlap or reach outside the text
 */
export function invertSpanEdits(text: string, edits: readonly SpanEdit[]): readonly SpanEdit[] {
  let shift = 0;
  return inOrder(text, edits).map((edit) => {
    const start = edit.start + shift;
    shift += edit.newText.length - (edit.end - edit.start);
    return { start, end: start + edit.newText.length, newText: text.slice(edit.start, edit.end) };
  });
}

function inOrder(text: string, edits: readonly SpanEdit[]): readonly SpanEdit[] {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let offset = 0;
  for (const edit of ordered) {
    if (edit.start < offset || edit.end < edit.start || edit.end > text.length) {
      throw new RangeError(`edit ${edit.start}-${edit.end} overlaps another or leaves the text (0-${text.length})`);
    }
    offset = edit.end;
  }
  return ordered;
}
