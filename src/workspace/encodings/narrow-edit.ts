import type { SpanEdit } from '../span.ts';
import { splitsPair } from './utf-8.ts';

/**
 * The same change with as little text as it takes, so that characters which an edit repeats are kept as bytes. It
 * begins and ends between characters of `text`, also where the edit given would have cut a surrogate pair.
 */
export function narrowEdit(text: string, edit: SpanEdit): SpanEdit {
  const whole = widenToPairs(text, edit);
  const old = text.slice(whole.start, whole.end);
  const { newText } = whole;
  const shorter = Math.min(old.length, newText.length);
  let head = 0;
  while (head < shorter && old.charCodeAt(head) === newText.charCodeAt(head)) head += 1;
  while (head > 0 && (splitsPair(old, head) || splitsPair(newText, head))) head -= 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    old.charCodeAt(old.length - 1 - tail) === newText.charCodeAt(newText.length - 1 - tail)
  ) {
    tail += 1;
  }
  while (tail > 0 && (splitsPair(old, old.length - tail) || splitsPair(newText, newText.length - tail))) tail -= 1;
  return { start: whole.start + head, end: whole.end - tail, newText: newText.slice(head, newText.length - tail) };
}

function widenToPairs(text: string, edit: SpanEdit): SpanEdit {
  const start = splitsPair(text, edit.start) ? edit.start - 1 : edit.start;
  const end = splitsPair(text, edit.end) ? edit.end + 1 : edit.end;
  return { start, end, newText: text.slice(start, edit.start) + edit.newText + text.slice(edit.end, end) };
}
