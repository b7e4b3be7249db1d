import type { Random } from './random.ts';

/** A file that edits are made in. Lines have no endings. */
export interface Source {
  readonly path: string;
  readonly lines: readonly string[];
}

/** A line of new_string: one of old_string's, by its index, or a new text. */
export type Item = { readonly kept: number } | { readonly text: string };

/** A clean edit: lines of a file and what stands there after. */
export interface Draft {
  readonly source: Source;
  readonly start: number;
  readonly old: readonly string[];
  readonly items: readonly Item[];
  /** Indices of old lines that the edit changes or puts something beside. */
  readonly touched: ReadonlySet<number>;
}

export const isBlank = (line: string): boolean => line.trim() === '';
export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
const squash = (text: string): string => text.replace(/[\s'"`,;\\]/g, '');

export function newLines({ old, items }: Draft): readonly string[] {
  return items.map((item) => ('kept' in item ? (old[item.kept] ?? '') : item.text));
}

/** The file with the clean edit made. */
export function edited(draft: Draft): string {
  const { source, start, old } = draft;
  return [...source.lines.slice(0, start), ...newLines(draft), ...source.lines.slice(start + old.length)].join('\n');
}

const squashes = new WeakMap<Source, string>();

function squashOf(source: Source): string {
  const known = squashes.get(source) ?? squash(source.lines.join('\n'));
  squashes.set(source, known);
  return known;
}

/** Lines that stand in the file once, whatever their form, with text at both ends. */
export function pickSpan(
  random: Random,
  source: Source,
  size: readonly [number, number],
): { start: number; old: string[] } | undefined {
  for (let tries = 0; tries < 10; tries++) {
    const length = random.int(...size);
    const start = random.int(0, Math.max(0, source.lines.length - length - 1));
    const old = source.lines.slice(start, start + length);
    const core = squash(old.join('\n'));
    if (old.length < length || isBlank(old[0] ?? '') || isBlank(old.at(-1) ?? '') || core.length < 16) continue;
    if (!/[A-Za-z]{3}/.test(core)) continue;
    const whole = squashOf(source);
    if (whole.indexOf(core) === whole.lastIndexOf(core)) return { start, old };
  }
  return undefined;
}

const WORD = /(?<![\w$&\\.#@-])[A-Za-z_]\w{3,24}(?![\w$;&-])/g;

/** A clean edit on a span; `undefined` where chance found none. */
export function draft(random: Random, source: Source, size: readonly [number, number]): Draft | undefined {
  const span = pickSpan(random, source, size);
  if (!span) return undefined;
  const { old } = span;
  const at = random.int(0, old.length - 1);
  const line = old[at] ?? '';
  if (isBlank(line)) return undefined;
  const kept: Item[] = old.map((_, index) => ({ kept: index }));
  const place = (items: Item[], ...touched: readonly number[]): Draft => ({
    source,
    ...span,
    items,
    touched: new Set(touched),
  });
  switch (random.int(0, 4)) {
    case 0: {
      const word = random.pick([...line.matchAll(WORD)]);
      if (!word) return undefined;
      const text = `${line.slice(0, word.index)}${word[0]}Next${line.slice(word.index + word[0].length)}`;
      return place(kept.with(at, { text }), at);
    }
    case 1: {
      const number = /(?<![\w.$#&\\])\d{1,5}(?![\w.;%])/.exec(line);
      if (!number) return undefined;
      const text = `${line.slice(0, number.index)}${Number(number[0]) + random.int(1, 9)}${line.slice(number.index + number[0].length)}`;
      return place(kept.with(at, { text }), at);
    }
    case 2: {
      const next = old[at + 1];
      if (next === undefined || isBlank(next) || indentOf(next) !== indentOf(line)) return undefined;
      return place(
        kept.toSpliced(at + 1, 0, { text: `${indentOf(line)}recordStep(state, ${random.int(1, 9)})` }),
        at,
        at + 1,
      );
    }
    case 3: {
      if (at === 0 || at === old.length - 1 || isBlank(old[at + 1] ?? '') || isBlank(old[at - 1] ?? ''))
        return undefined;
      return place(kept.toSpliced(at, 1), at - 1, at, at + 1);
    }
    default: {
      const fresh = ['prepare(state, 1)', 'counter += 1', 'finish(state)'].slice(0, random.int(1, 3));
      return place(kept.toSpliced(at, 1, ...fresh.map((text) => ({ text: indentOf(line) + text }))), at);
    }
  }
}
