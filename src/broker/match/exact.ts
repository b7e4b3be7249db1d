import type { Span } from '../../workspace/span.ts';
import { lineEndAt, withBreaks } from '../merge/form.ts';
import { splits } from '../merge/line-edits.ts';
import { breakAfter } from './edges.ts';
import { isBlank } from './fold.ts';

/** More places than this are not looked for. */
export const MAX_OCCURRENCES = 100_000;

/** The offsets of all occurrences, those that overlap one another too; none splits a `\r\n` or a surrogate pair. */
export function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && found.length < MAX_OCCURRENCES; at = text.indexOf(part, at + 1)) {
    if (!splits(text, at) && !splits(text, at + part.length)) found.push(at);
  }
  return found;
}

/** old_string with the file's line ends where they are all of one other kind; `undefined` where that changes nothing. */
export function inFileBreaks(text: string, oldString: string): string | undefined {
  if (!/[\r\n]/.test(oldString)) return undefined;
  const end = text.includes('\r\n') ? '\r\n' : text.includes('\n') ? '\n' : '\r';
  const written = oldString.replace(/\r\n|\r|\n/g, end);
  return written === oldString ? undefined : written;
}

/**
 * What stands at an exact match after the edit: new_string as it is, but for line ends as around it; and where all the
 * text of lines is deleted their indentation and their last line end go with it.
 */
export function literal(text: string, span: Span, newString: string): Span & { readonly newText: string } {
  const old = text.slice(span.start, span.end);
  if (newString === '') return { ...wholeLines(text, span), newText: '' };
  const kinds = new Set(old.match(/\r\n|\r|\n/g));
  if (kinds.size > 1) return { ...span, newText: newString };
  const [own] = kinds;
  const end = own === undefined || own === '\r' ? lineEndAt(text, span.start) : own;
  return { ...span, newText: withBreaks(newString, end) };
}

/** The span with the indentation and the line end that belong to it, where it is all the text of its lines. */
export function wholeLines(text: string, span: Span): Span {
  const { end } = span;
  const isBreak = (offset: number): boolean => /[\r\n]/.test(text[offset] ?? '\n');
  let { start } = span;
  while (start > 0 && !isBreak(start - 1) && isBlank(text.charCodeAt(start - 1))) start -= 1;
  const startsLine = start === 0 || isBreak(start - 1);
  if (!startsLine || text.slice(start, end).trim() === '') return span;
  if (isBreak(end - 1)) return { start, end };
  if (!isBreak(end)) return span;
  if (end < text.length) return { start, end: breakAfter(text, end) };
  return { start: text.endsWith('\r\n', start) ? start - 2 : Math.max(0, start - 1), end };
}
