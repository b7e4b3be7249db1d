import type { Span } from '../../workspace/span.ts';
import { isBlank, isBreak } from './fold.ts';
import { countBreaks, splitGap, toLineFeeds } from './gap.ts';
import { EXACT, type Grade, INDENTATION, LINE_ENDINGS, LINE_TRIMMED, WHITESPACE } from './grade.ts';

/** What lies around the first and the last token of old_string. */
interface OuterBlanks {
  readonly lead: string;
  readonly tail: string;
}

/** A span of the file with the blanks at its ends, how laxly they fit, and whether it is made of whole lines. */
export interface Edges extends Span {
  readonly grade: Grade;
  readonly startsLine: boolean;
  readonly endsLine: boolean;
}

interface Edge {
  readonly offset: number;
  readonly grade: Grade;
  readonly isLine: boolean;
}

/**
 * Widens `inner` (from the first token to the last) by the blanks that old_string has around its own, or `undefined`
 * where the file has no such line ends there. `rest` is what of the last line belongs to it besides blanks.
 */
export function edgesOf(text: string, inner: Span, blanks: OuterBlanks, rest: number): Edges | undefined {
  const start = leadingEdge(text, inner.start, toLineFeeds(blanks.lead));
  const end = trailingEdge(text, Math.max(inner.end, rest), toLineFeeds(blanks.tail));
  if (!start || !end) return undefined;
  return {
    start: start.offset,
    end: end.offset,
    grade: Math.max(start.grade, end.grade),
    startsLine: start.isLine,
    endsLine: end.isLine,
  };
}

function leadingEdge(text: string, offset: number, lead: string): Edge | undefined {
  let start = offset;
  while (start > 0 && isBlankInLine(text.charCodeAt(start - 1))) start -= 1;
  const isLine = start === 0 || isBreak(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === 0xfeff;
  let breaks = countBreaks(lead);
  if (!isLine) {
    if (breaks > 0) return undefined;
    const own = Math.min(offset - start, lead.length);
    return { offset: offset - own, grade: text.slice(offset - own, offset) === lead ? EXACT : WHITESPACE, isLine };
  }
  let grade: Grade =
    text.slice(start, offset) === splitGap(lead).indent + (breaks > 0 ? '' : splitGap(lead).trail)
      ? EXACT
      : INDENTATION;
  while (breaks > 0) {
    const before = breakBefore(text, start);
    if (before === start) return undefined;
    start = before;
    breaks -= 1;
    if (breaks === 0) break;
    while (start > 0 && isBlankInLine(text.charCodeAt(start - 1))) start -= 1;
    if (start > 0 && !isBreak(text.charCodeAt(start - 1))) return undefined;
  }
  const { breaks: hasBreaks, trail } = splitGap(lead);
  if (hasBreaks !== '' && trail !== '') {
    if (text.endsWith(trail, start)) start -= trail.length;
    else grade = Math.max(grade, LINE_TRIMMED);
  }
  // Blanks of blank lines were passed over.
  if (hasBreaks !== '' && toLineFeeds(text.slice(start, offset)) !== lead) grade = Math.max(grade, LINE_TRIMMED);
  return { offset: start, grade, isLine };
}

function trailingEdge(text: string, offset: number, tail: string): Edge | undefined {
  let end = offset;
  while (end < text.length && isBlankInLine(text.charCodeAt(end))) end += 1;
  const isLine = end === text.length || isBreak(text.charCodeAt(end));
  const { trail, indent } = splitGap(tail);
  let breaks = countBreaks(tail);
  if (!isLine) {
    if (breaks > 0) return undefined;
    const own = Math.min(end - offset, tail.length);
    return { offset: offset + own, grade: text.slice(offset, offset + own) === tail ? EXACT : WHITESPACE, isLine };
  }
  let grade = text.slice(offset, end) === trail ? EXACT : LINE_TRIMMED;
  for (let isFirst = true; breaks > 0; isFirst = false, breaks -= 1) {
    const after = breakAfter(text, end);
    if (after === end) {
      if (!isFirst || breaks > 1) return undefined;
      grade = Math.max(grade, LINE_ENDINGS);
      return { offset: end, grade, isLine };
    }
    end = after;
    if (breaks === 1) break;
    while (end < text.length && isBlankInLine(text.charCodeAt(end))) end += 1;
    if (end < text.length && !isBreak(text.charCodeAt(end))) return undefined;
  }
  // Blanks of blank lines were passed over.
  if (toLineFeeds(text.slice(offset, end) + indent) !== tail) grade = Math.max(grade, LINE_TRIMMED);
  if (countBreaks(tail) === 0 || indent === '') return { offset: end, grade, isLine };
  return text.startsWith(indent, end) ? { offset: end + indent.length, grade, isLine } : undefined;
}

const isBlankInLine = (code: number): boolean => isBlank(code) && !isBreak(code);

function breakBefore(text: string, offset: number): number {
  if (text.endsWith('\r\n', offset)) return offset - 2;
  return offset > 0 && isBreak(text.charCodeAt(offset - 1)) ? offset - 1 : offset;
}

/** Where the line end at `offset` ends, or `offset` itself where there is none. */
export function breakAfter(text: string, offset: number): number {
  if (text.startsWith('\r\n', offset)) return offset + 2;
  return offset < text.length && isBreak(text.charCodeAt(offset)) ? offset + 1 : offset;
}
