import type { OutlineSymbol } from './outline.ts';
import { isTyped, keyOf, type LineSpan, touchedSymbols, visibleSymbols } from './touched-symbols.ts';

/** One text of a file, as far as an edit touched it. */
export interface TouchedText {
  readonly text: string;
  readonly outline: readonly OutlineSymbol[];
  readonly lines: readonly LineSpan[];
  /** What hover shows for the touched symbols, by key. */
  readonly hovers: ReadonlyMap<string, string | undefined>;
}

/**
 * The names by which other files would know what an edit changed; empty when it changed nothing that they can see: a
 * function's body under the same type, comments, what is not exported. In doubt a name is in it.
 */
export function changedNames(
  before: TouchedText,
  after: TouchedText,
  file: { readonly languageId: string; readonly path: string },
): ReadonlySet<string> {
  const [old, now] = [visibleSymbols(before.outline), visibleSymbols(after.outline)];
  const changed: OutlineSymbol[] = [];
  for (const symbol of touchedSymbols(before.outline, before.lines)) {
    const same = now.get(keyOf(symbol));
    if (!same || !isSameType(symbol, before, after)) changed.push(symbol);
  }
  for (const symbol of touchedSymbols(after.outline, after.lines)) {
    if (!old.has(keyOf(symbol)) || !isSameType(symbol, before, after)) changed.push(symbol);
  }
  const names = new Set<string>();
  for (const symbol of changed) {
    if (!isExported(symbol, before.text, file) && !isExported(symbol, after.text, file)) continue;
    for (const name of symbol.names.slice(-2)) if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) names.add(name);
  }
  for (const side of [before, after]) for (const name of passedOn(side, file)) names.add(name);
  return names;
}

function isSameType(symbol: OutlineSymbol, before: TouchedText, after: TouchedText): boolean {
  const [old, now] = [before.hovers.get(keyOf(symbol)), after.hovers.get(keyOf(symbol))];
  // A type that is shown in part only may differ in the rest.
  return isTyped(symbol) && old !== undefined && old === now && !old.includes('...');
}

function isExported(symbol: OutlineSymbol, text: string, file: { readonly languageId: string }): boolean {
  if (!/^(?:type|java)script/.test(file.languageId)) return true;
  const name = symbol.names[0] ?? '';
  if (name === 'default' || !/^[^\S\r\n\u2028\u2029]*(?:import|export)\b/m.test(text)) return true;
  const escaped = name.replace(/[$\\^.*+?()[\]{}|]/g, '\\$&');
  const declared = new RegExp(`^[^\\S\\r\\n\\u2028\\u2029]*export\\b[^\\r\\n=({]*\\b${escaped}(?![\\w$])`, 'mu');
  const listed = new RegExp(`export\\s+(?:default\\s+${escaped}\\b|(?:type\\s+)?\\{[^{}]*\\b${escaped}\\b)`, 'u');
  return declared.test(text) || listed.test(text);
}

/** Names in touched lines that hand on what is declared elsewhere: re-exports. */
function passedOn(side: TouchedText, file: { readonly languageId: string; readonly path: string }): readonly string[] {
  const rule = /^(?:type|java)script/.test(file.languageId)
    ? /^\s*export\s*(?:type\s*)?[{*]/
    : /__init__\.pyi?$/.test(file.path)
      ? /^\s*(?:from|import)\b/
      : undefined;
  if (!rule) return [];
  const all = side.text.split(/\r\n|\r|\n/);
  return side.lines
    .flatMap(({ first, last }) => all.slice(first, last + 1))
    .filter((line) => rule.test(line))
    .flatMap((line) => line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [])
    .filter((word) => !['export', 'from', 'import', 'type', 'as', 'default'].includes(word));
}
