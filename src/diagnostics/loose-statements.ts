import type { OutlineSymbol } from './outline.ts';
import type { LineSpan } from './touched-symbols.ts';

/** Begins a statement: at the left margin, and nothing that ends or goes on with another. */
const BEGINS = /^[^\s)\]}]/;
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\s*(?:include|define|undef|if|el|endif|pragma)\b))/;

/**
 * The statements that have one of these lines and begin outside every symbol, whole: imports, what is run at once, what
 * has no name.
 */
export function looseStatements(text: {
  readonly lines: readonly string[];
  readonly outline: readonly OutlineSymbol[];
  readonly touched: readonly LineSpan[];
}): readonly string[] {
  const { lines, outline, touched } = text;
  const isOwned = new Set<number>();
  for (const { firstLine, lastLine } of outline) {
    for (let line = firstLine; line <= lastLine; line++) isOwned.add(line);
  }
  const begins = lines.map((line) => BEGINS.test(line));
  const statements = new Map<number, string>();
  for (const span of touched) {
    let [first, end] = [-1, -1];
    for (let line = Math.max(0, span.first); line <= Math.min(span.last, lines.length - 1); line++) {
      if (line < end || COMMENT.test(lines[line] ?? '')) continue;
      for (first = line; first > 0 && !begins[first]; ) first--;
      for (end = line + 1; end < lines.length && !begins[end]; ) end++;
      if (!isOwned.has(first)) statements.set(first, lines.slice(first, end).join('\n'));
    }
  }
  return [...statements.values()];
}
