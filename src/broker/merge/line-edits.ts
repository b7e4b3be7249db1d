import type { SpanEdit } from '../../workspace/span.ts';
import { splitLines } from '../line-hunks.ts';
import { align } from '../match/align.ts';
import { alignRare } from '../match/align-rare.ts';
import type { Budget } from '../match/budget.ts';
import { numbered } from '../match/numbered.ts';
import { splits } from '../match/splits.ts';

/** Beyond so many differing lines only those that stand once are told from one another. */
const MAX_DIFFERENCES = 1_000;

/**
 * The edits that turn `text` into `newText`: one for each run of differing lines, cut down to the characters that
 * differ, never inside a `\r\n` or a surrogate pair. Law: `applySpanEdits(text, lineEdits(text, newText)) === newText`.
 * With little budget left they may be fewer and longer.
 */
export function lineEdits(text: string, newText: string, budget?: Budget): readonly SpanEdit[] {
  if (text === newText) return [];
  if (!/[\r\n]/.test(text) && !/[\r\n]/.test(newText)) return [narrowed(text, { start: 0, end: text.length, newText })];
  const [lines, newLines] = [splitLines(text), splitLines(newText)];
  const [a, b] = numbered(lines, newLines);
  const pairs = align(a, b, { maxDifferences: MAX_DIFFERENCES, free: 'none', budget }) ?? alignRare(a, b);
  const edits: SpanEdit[] = [];
  let [start, newStart] = [0, 0];
  let [offset, newOffset, from] = [0, 0, 0];
  const close = (): void => {
    if (start === offset && newStart === newOffset) return;
    edits.push(narrowed(text, { start, end: offset, newText: newText.slice(newStart, newOffset) }));
  };
  for (const [i, line] of lines.entries()) {
    const pair = pairs[i] ?? -1;
    if (pair >= 0) {
      while (from < pair) newOffset += newLines[from++]?.length ?? 0;
      close();
      from += 1;
      newOffset += line.length;
      newStart = newOffset;
      start = offset + line.length;
    }
    offset += line.length;
  }
  newOffset = newText.length;
  close();
  return edits;
}

function narrowed(text: string, edit: SpanEdit): SpanEdit {
  const old = text.slice(edit.start, edit.end);
  const now = edit.newText;
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  while (head > 0 && (splits(old, head) || splits(now, head))) head -= 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  while (tail > 0 && (splits(old, old.length - tail) || splits(now, now.length - tail))) tail -= 1;
  return { start: edit.start + head, end: edit.end - tail, newText: now.slice(head, now.length - tail) };
}
