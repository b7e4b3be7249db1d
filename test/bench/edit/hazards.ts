import { draft, indentOf, isBlank, newLines, pickSpan, type Source } from './drafts.ts';
import type { Random } from './random.ts';

/** An edit that must be refused: no such place, several, or a line there is not what the model believes. */
export interface Hazard {
  readonly before: string;
  readonly old: string;
  readonly now: string;
}

type Make = (random: Random, source: Source) => Hazard | undefined;

const SWAPS: readonly (readonly [RegExp, string])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ && /, ' || '],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/\bTrue\b/, 'False'],
  [/ <= /, ' < '],
  [/ \+ /, ' - '],
  [/\bif \((?=\w)/, 'if (!'],
  [/\bnot /, ''],
];

function wrongNumber(random: Random, line: string): string | undefined {
  const number = /(?<![\w.$#&\\])\d{1,6}(?![\w.])/.exec(line);
  return number
    ? `${line.slice(0, number.index)}${Number(number[0]) + random.int(1, 40)}${line.slice(number.index + number[0].length)}`
    : undefined;
}

function wrongSense(random: Random, line: string): string | undefined {
  const swap = random.pick(SWAPS.filter(([from]) => from.test(line)));
  return swap && line.replace(...swap);
}

function wrongWord(random: Random, line: string, source: Source): string | undefined {
  const word = random.pick([...line.matchAll(/(?<![\w$#@&\\-])[a-z]\w{3,20}(?![\w$-])/gi)]);
  const other = random.pick(
    source.lines.flatMap((text) => text.match(/(?<![\w$])[a-z]\w{3,20}(?![\w$])/gi) ?? []).slice(0, 400),
  );
  if (!word || !other || other.toLowerCase() === word[0].toLowerCase()) return undefined;
  return line.slice(0, word.index) + other + line.slice(word.index + word[0].length);
}

const isComment = (line: string): boolean =>
  /^\s*(?:\/\/|#|\*|\/\*|<!--|--|"""|''')/.test(line) || /\/\/|\/\*|#\s/.test(line);

/** One line of an otherwise intact block says something else, on one of the sides; the edit is on it or away from it. */
function believed(
  kind: 'kept' | 'changed',
  wrong: (random: Random, line: string, source: Source) => string | undefined,
): Make {
  return (random, source) => {
    const made = draft(random, source, [6, 18]);
    if (!made) return undefined;
    const at = random.int(1, made.old.length - 2);
    const line = made.old[at] ?? '';
    if (isBlank(line) || isComment(line)) return undefined;
    const isNear = [at - 1, at, at + 1].some((k) => made.touched.has(k));
    const bad = wrong(random, line, source);
    if (bad === undefined || bad === line || source.lines.some((other) => other.trim() === bad.trim()))
      return undefined;
    const old = made.old.with(at, bad);
    const before = source.lines.join('\n');
    if (kind === 'kept') {
      if (isNear) return undefined;
      return { before, old: old.join('\n'), now: newLines({ ...made, old }).join('\n') };
    }
    return { before, old: old.join('\n'), now: old.with(at, `${indentOf(bad)}prepare(state, 1)`).join('\n') };
  };
}

export const HAZARDS: Readonly<Record<string, Make>> = {
  'kept number': believed('kept', wrongNumber),
  'kept word': believed('kept', wrongWord),
  'kept sense': believed('kept', wrongSense),
  'changed number': believed('changed', wrongNumber),
  'changed word': believed('changed', wrongWord),
  'changed sense': believed('changed', wrongSense),
  'two places': (random, source) => {
    const span = pickSpan(random, source, [3, 8]);
    if (!span) return undefined;
    const copy = span.old.map((line) => (isBlank(line) ? line : `    ${line}`));
    const before = [...source.lines, '', ...copy, ''].join('\n');
    const old = span.old.map((line) => (isBlank(line) ? line : `  ${line}`));
    return { before, old: old.join('\n'), now: [...old, '  recordStep(state, 3)'].join('\n') };
  },
  'another middle': (random, source) => {
    const span = pickSpan(random, source, [5, 12]);
    const other = pickSpan(random, source, [3, 6]);
    if (!span || !other || Math.abs(span.start - other.start) < 14) return undefined;
    if ([span.old[0], span.old.at(-1)].some((line) => (line ?? '').replace(/\W/g, '').length < 6)) return undefined;
    const old = [span.old[0] ?? '', ...other.old, span.old.at(-1) ?? ''];
    return { before: source.lines.join('\n'), old: old.join('\n'), now: old.toSpliced(2, 1).join('\n') };
  },
};
