import type { SpanEdit } from '../../workspace/span.ts';
import { textLines } from '../patch/text-lines.ts';

/**
 * Edits of a text, carried over to what others made of it (`since`, edits of the same text); both in order. They may not change the
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
  const ranges = edits.map(lineRange);
  let [next, grown] = [0, 0];
  for (const other of since) {
    const range = lineRange(other);
    const [first] = range;
    // Edits above it are above all that follow it too.
    while (isAbove(ranges[next], first)) next += 1;
    const count = other.newText.split('\n').length - 1;
    if (clashesFrom(ranges, next, range))
      for (let line = first; line <= first + Math.max(0, count - 1); line += 1) touched.add(line + grown + 1);
    grown += count - (text.slice(other.start, other.end).split('\n').length - 1);
  }
  if (touched.size > 0) return { status: 'touched', lines: [...touched].sort((a, b) => a - b) };
  let [passed, shift] = [0, 0];
  const moved = edits.map((edit) => {
    for (let other = since[passed]; other && other.end <= edit.start; other = since[passed]) {
      shift += other.newText.length - (other.end - other.start);
      passed += 1;
    }
    return { ...edit, start: edit.start + shift, end: edit.end + shift };
  });
  return { status: 'moved', edits: moved };
}

type Lines = readonly [first: number, last: number];

const isAbove = (range: Lines | undefined, line: number): boolean => range !== undefined && Math.max(...range) < line;

/** Whether one of the ranges, in order, clashes with another; those from `next` on are not above it. */
function clashesFrom(ranges: readonly Lines[], next: number, [first, last]: Lines): boolean {
  for (let index = next; index < ranges.length; index += 1) {
    const range = ranges[index];
    if (!range || range[0] > Math.max(first, last)) return false;
    if (clash(range, [first, last])) return true;
  }
  return false;
}

/** Whether two stretches of lines share one, or one lies within the other as a place between two lines. */
function clash([from, to]: Lines, [first, last]: Lines): boolean {
  if (from > to && first > last) return from === first;
  if (from > to) return first < from && from <= last;
  if (first > last) return from < first && first <= to;
  return from <= last && first <= to;
}
