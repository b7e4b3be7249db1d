import { affectedSymbols } from './affected-symbols.ts';
import { exportedNames, isScript } from './exported-names.ts';
import { looseStatements } from './loose-statements.ts';
import { moduleName } from './module-name.ts';
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
 * function's body under the same type, comments, what is not exported and nothing exported rests on. In doubt a name is
 * in it.
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
  const sides = [before, after].map((side) => ({ ...side, lines: linesOf(side.text), touched: side.lines }));
  const loose = IS_DATA.test(file.languageId) ? [] : changedStatements(sides.map(looseStatements));
  const seeds = new Set([...changed.map((symbol) => symbol.names[0] ?? ''), ...loose.flatMap(wordsOf)]);
  const affected = IS_DATA.test(file.languageId) ? new Set<string>() : affectedSymbols(seeds, sides);

  const exported = [before, after].map(({ text }) => exportedNames(text, file.languageId));
  const names = new Set<string>();
  const addRoot = (root: string, more: readonly string[] = []): void => {
    if (!exported.some((one) => one.has(root))) return;
    for (const name of [root, ...more, ...exported.flatMap((one) => one.aliases(root))]) {
      if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) names.add(name);
    }
    if (exported.some((one) => one.isDefault(root))) names.add(moduleName(file.path));
  };
  for (const symbol of changed) addRoot(symbol.names[0] ?? '', symbol.names.slice(-2));
  for (const root of affected) addRoot(root);
  if (isScript(file.languageId) && loose.some((statement) => HANDS_OVER.test(statement))) {
    names.add(moduleName(file.path));
  }
  for (const side of [before, after]) for (const name of passedOn(side, file)) names.add(name);
  return names;
}

/** Languages in which a word is no more than a word. */
const IS_DATA = /^(?:json|yaml|toml|markdown|html|xml|css|scss|less|plaintext)/;
/** What has no name of its own, and is had by the file's. */
const HANDS_OVER = /^(?:export\s*(?:default\b|=)|(?:module\.)?exports\b)/;
const KEYWORDS = new Set(
  [
    'import export from as type typeof default const let var function class interface enum new return if else for',
    'while async await extends implements declare module namespace require exports include define pragma package use',
    'def in is not and or None True False true false null undefined void this self',
  ].flatMap((words) => words.split(' ')),
);

/** Statements that stand on one side only. */
function changedStatements(sides: readonly (readonly string[])[]): readonly string[] {
  return sides.flatMap((own, side) => own.filter((one) => !sides[1 - side]?.includes(one)));
}

function wordsOf(statement: string): readonly string[] {
  // A quote that nothing ends, as an apostrophe is, makes no string.
  const code = statement.replace(/(["'`])(?:\\.|(?!\1)[^\\\r\n])*(\1?)/g, (all, _quote, end) =>
    end === '' ? all : ' ',
  );
  return (code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter((word) => !KEYWORDS.has(word));
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

function isSameType(symbol: OutlineSymbol, before: TouchedText, after: TouchedText): boolean {
  const [old, now] = [before.hovers.get(keyOf(symbol)), after.hovers.get(keyOf(symbol))];
  // A type that is shown in part only may differ in the rest.
  return isTyped(symbol) && old !== undefined && old === now && !old.includes('...');
}

/** Names in touched lines that hand on what is declared elsewhere: re-exports. */
function passedOn(side: TouchedText, file: { readonly languageId: string; readonly path: string }): readonly string[] {
  const rule = isScript(file.languageId)
    ? /^\s*export\s*(?:type\s*)?[{*]/
    : /__init__\.pyi?$/.test(file.path)
      ? /^\s*(?:from|import)\b/
      : undefined;
  if (!rule) return [];
  const all = linesOf(side.text);
  return side.lines
    .flatMap(({ first, last }) => all.slice(first, last + 1))
    .filter((line) => rule.test(line))
    .flatMap((line) => line.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [])
    .filter((word) => !['export', 'from', 'import', 'type', 'as', 'default'].includes(word));
}
