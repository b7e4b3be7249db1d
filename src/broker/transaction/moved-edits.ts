import type { SpanEdit } from '../../workspace/span.ts';
import { textLines } from '../patch/text-lines.ts';

/**
 * Edits of a text, carried over to what others made of it (`since`, edits of the same text). They may not change the
 * same lines, nor put lines between the same two; lines beside each other they may. `lines` are 1-based, in the text
 * that others made.
 */
export function movedEdits(
  text: string,
  edits: readonly SpanEdit[],
  since: readonly SpanEdit[],
):
  | { readonly status: 'moved'; readonly edits: readonly SpanEdit[] }
  | { readonly status: 'touched'; readonly lines: readonly number[] } {
  const lines = textLines(text);
  // What is put before a line covers none.
  const lineRange = ({ start, end }: SpanEdit): readonly [number, number] => {
    const first = lines.lineAt(start);
    return start === end && lines.offsetOf(first) === start
      ? [first, first - 1]
      : [first, lines.lineAt(Math.max(start, end - 1))];
  };
  const touched = new Set<number>();
  let grown = 0;
  for (const other of since) {
    const [first, last] = lineRange(other);
    const isTouched = edits.some((edit) => clash(lineRange(edit), [first, last]));
    const count = other.newText.split('\n').length - 1;
    if (isTouched)
      for (let line = first; line <= first + Math.max(0, count - 1); line += 1) touched.add(line + grown + 1);
    grown += count - (text.slice(other.start, other.end).split('\n').length - 1);
  }
  if (touched.size > 0) return { status: 'touched', lines: [...touched].sort((a, b) => a - b) };
  const moved = edits.map((edit) => {
    const shift = since
      .filter((other) => other.end <= edit.start)
      .reduce((sum, other) => sum + other.newText.length - (other.end - other.start), 0);
    return { ...edit, start: edit.start + shift, end: edit.end + shift };
  });
  return { status: 'moved', edits: moved };
}

type Lines = readonly [first: number, last: number];

/** Whether two stretches of lines share one, or one lies within the other as a place between two lines. */
function clash([from, to]: Lines, [first, last]: Lines): boolean {
  if (from > to && first > last) return from === first;
  if (from > to) return first < from && from <= last;
  if (first > last) return from < first && first <= to;
  return from <= last && first <= to;
}
