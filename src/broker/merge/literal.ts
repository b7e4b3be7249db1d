import type { Span, SpanEdit } from '../../workspace/span.ts';
import { breakAfter } from '../match/edges.ts';
import { isBlank, isBreak } from '../match/fold.ts';
import { lineEndAt, withBreaks } from './form.ts';

/**
 * What stands at an exact match after the edit: new_string as it is, but for line ends as around it; and where all the
 * text of lines is deleted their indentation and their last line end go with it.
 */
export function literal(text: string, span: Span, newString: string): SpanEdit {
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
  const isEnd = (offset: number): boolean => offset === text.length || isBreak(text.charCodeAt(offset));
  let { start } = span;
  while (start > 0 && !isEnd(start - 1) && isBlank(text.charCodeAt(start - 1))) start -= 1;
  const startsLine = start === 0 || isEnd(start - 1);
  if (!startsLine || text.slice(start, end).trim() === '') return span;
  if (isEnd(end - 1)) return { start, end };
  if (!isEnd(end)) return span;
  if (end < text.length) return { start, end: breakAfter(text, end) };
  return { start: text.endsWith('\r\n', start) ? start - 2 : Math.max(0, start - 1), end };
}
