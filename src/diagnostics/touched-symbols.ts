import type { OutlineSymbol } from './outline.ts';

/** 0-based lines, both in it. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

const CLASS_LIKE: readonly number[] = [2, 3, 4, 5, 10, 11, 23];
/** LSP `SymbolKind` of what has a type that hover shows: property, field, method, constructor, function, variable. */
const TYPED: readonly number[] = [6, 7, 8, 9, 12, 13, 14];

/** Whether hover tells whether such a symbol's declaration changed. */
export function isTyped(symbol: OutlineSymbol): boolean {
  return TYPED.includes(symbol.kind);
}

/**
 * The innermost symbols that others can see and that reach into these lines: members of classes and the like, never
 * what is declared inside a function. A class counts itself when its first line is touched, or no member is.
 */
export function touchedSymbols(
  outline: readonly OutlineSymbol[],
  lines: readonly LineSpan[],
): readonly OutlineSymbol[] {
  return outline.flatMap((symbol) => {
    if (!lines.some(({ first, last }) => first <= symbol.lastLine && last >= symbol.firstLine)) return [];
    if (!CLASS_LIKE.includes(symbol.kind)) return [symbol];
    const members = touchedSymbols(symbol.children, lines);
    const name = symbol.namePosition.line;
    const isHeader = lines.some(({ first, last }) => first <= name && last >= name);
    return members.length === 0 || isHeader ? [symbol, ...members] : members;
  });
}

/** Every symbol of an outline that others can see, by its names joined. */
export function visibleSymbols(outline: readonly OutlineSymbol[]): ReadonlyMap<string, OutlineSymbol> {
  const symbols = new Map<string, OutlineSymbol>();
  const visit = (symbol: OutlineSymbol): void => {
    symbols.set(keyOf(symbol), symbol);
    if (CLASS_LIKE.includes(symbol.kind)) symbol.children.forEach(visit);
  };
  outline.forEach(visit);
  return symbols;
}

/** One text for a symbol and the symbols that it stands in: equal for the same symbol in another version. */
export function keyOf(symbol: OutlineSymbol): string {
  return symbol.names.join('\0');
}
