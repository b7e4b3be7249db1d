import type { OutlineSymbol } from './outline.ts';

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** A text with its symbols. */
interface Outlined {
  readonly lines: readonly string[];
  readonly outline: readonly OutlineSymbol[];
}

/**
 * The names of the outermost symbols that may have become others because what these words name did: those that have
 * one of them, and those that have the name of such a symbol.
 */
export function affectedSymbols(words: Iterable<string>, texts: readonly Outlined[]): ReadonlySet<string> {
  const waiting = [...words];
  const affected = new Set<string>();
  if (waiting.length === 0) return affected;
  const users = usersOf(texts);
  for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
    for (const name of users.get(word) ?? []) {
      if (affected.has(name)) continue;
      affected.add(name);
      waiting.push(name);
    }
  }
  return affected;
}

/** By word, the names of the symbols in which it stands; a symbol's own name is none of its words. */
function usersOf(texts: readonly Outlined[]): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  for (const { lines, outline } of texts) {
    for (const { names, firstLine, lastLine } of outline) {
      const name = names[0] ?? '';
      for (const word of lines
        .slice(firstLine, lastLine + 1)
        .join('\n')
        .match(WORD) ?? []) {
        if (word !== name) users.set(word, (users.get(word) ?? new Set()).add(name));
      }
    }
  }
  return users;
}
