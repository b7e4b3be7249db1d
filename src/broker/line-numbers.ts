import type { Span } from '../workspace/span.ts';
import { enclosingSymbol } from './match/enclosing-symbol.ts';
import { countBreaks } from './match/gap.ts';
import type { Place } from './refusal-words.ts';

/** The 1-based line of an offset; a lone `\r` ends a line too, as in a `TextDocument`. */
export function lineNumber(text: string, offset: number): number {
  if (text.includes('\r')) return countBreaks(text.slice(0, offset)) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The 1-based lines, inclusive, of what a span has between its outer blanks. */
export function lineNumbers(text: string, { start, end }: Span): readonly [number, number] {
  const part = text.slice(start, end);
  const [lead, tail] = [part.length - part.trimStart().length, part.length - part.trimEnd().length];
  return [lineNumber(text, start + lead), lineNumber(text, Math.max(start + lead, end - tail))];
}

/** A span as a refusal names it. */
export function placeOf(text: string, span: Span): Place {
  const part = text.slice(span.start, span.end);
  const start = span.start + part.length - part.trimStart().length;
  return { line: lineNumber(text, start), symbol: enclosingSymbol(text, start) };
}
