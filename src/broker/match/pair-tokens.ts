import { align } from './align.ts';
import type { Budget } from './budget.ts';
import type { CompareOptions } from './comparison.ts';
import { numbered } from './numbered.ts';
import type { Token } from './tokens.ts';

/** More differing tokens of code than this are never forgiven. */
const MAX_CODE = 40;
const MAX_COMMENT = 400;
/** So many tokens beyond its own count a comment outside the paired code is looked for. */
const REACH = 8;

/**
 * For each token of old_string the one of the file that it is, or -1; `undefined` where the two are unlike. Where
 * comments are forgiven, code is paired first and comments only between what is paired: so a long comment that one
 * side lacks does not cost the place.
 */
export function pairTokens(
  old: readonly Token[],
  file: readonly Token[],
  { forgive, budget }: Pick<CompareOptions, 'forgive' | 'budget'>,
): Int32Array | undefined {
  if (forgive === 'form')
    return align(...keysOf(old, file), { maxDifferences: allowance(old, file), free: 'ends', budget });
  if (!hasCode(old)) {
    const maxDifferences = Math.min(MAX_COMMENT, 20 + old.length / 2);
    return align(...keysOf(old, file), { maxDifferences, free: 'ends', budget });
  }
  const [oldCode, fileCode] = [codeOf(old), codeOf(file)];
  const pick = (tokens: readonly Token[], indices: readonly number[]): readonly Token[] =>
    indices.flatMap((index) => tokens[index] ?? []);
  const keys = keysOf(pick(old, oldCode), pick(file, fileCode));
  const found = align(...keys, { maxDifferences: MAX_CODE, free: 'ends', budget });
  if (!found) return undefined;
  const pairs = new Int32Array(old.length).fill(-1);
  for (const [index, pair] of found.entries()) {
    if (pair >= 0) pairs[oldCode[index] ?? 0] = fileCode[pair] ?? -1;
  }
  pairComments(old, file, { pairs, budget });
  return pairs;
}

/** Pairs the comments between two pairs of code, and those right before the first and right after the last. */
function pairComments(
  old: readonly Token[],
  file: readonly Token[],
  { pairs, budget }: { readonly pairs: Int32Array; readonly budget: Budget },
): void {
  let from = 0;
  let fileFrom: number | undefined;
  for (let index = 0; index <= old.length; index++) {
    const pair = index < old.length ? (pairs[index] ?? -1) : undefined;
    if (pair === -1) continue;
    const low = fileFrom ?? Math.max(0, (pair ?? 0) - 2 * index - REACH);
    const high = pair ?? Math.min(file.length, low + 2 * (old.length - from) + REACH);
    const comments = old.slice(from, index).flatMap((token, k) => (token.isComment ? [from + k] : []));
    const others = file.slice(low, high).flatMap((token, k) => (token.isComment ? [low + k] : []));
    if (comments.length > 0 && others.length > 0) {
      const keys = keysOf(
        comments.flatMap((k) => old[k] ?? []),
        others.flatMap((k) => file[k] ?? []),
      );
      const near = fileFrom === undefined ? 'start' : 'end';
      const isOuter = fileFrom === undefined || pair === undefined;
      // Of comments that are the same, the one next to the code is meant, unless one further off has more of the words.
      const ways = isOuter ? ([near, 'ends'] as const) : (['none'] as const);
      const found = fullest(ways.map((free) => align(...keys, { maxDifferences: MAX_COMMENT, budget, free })));
      for (const [k, match] of (found ?? []).entries()) {
        if (match >= 0) pairs[comments[k] ?? 0] = others[match] ?? -1;
      }
    }
    if (pair === undefined) return;
    [from, fileFrom] = [index + 1, pair + 1];
  }
}

/** The first of those that pair the most. */
function fullest(all: readonly (Int32Array | undefined)[]): Int32Array | undefined {
  const count = (pairs: Int32Array | undefined): number => pairs?.filter((pair) => pair >= 0).length ?? -1;
  return all.reduce((best, each) => (count(each) > count(best) ? each : best), undefined);
}

const codeOf = (tokens: readonly Token[]): readonly number[] =>
  tokens.flatMap((token, index) => (token.isComment ? [] : [index]));

/** Whether there is code enough to know a place by, whatever the comments say. */
export function hasCode(tokens: readonly Token[]): boolean {
  const comments = tokens.filter(({ isComment }) => isComment).length;
  return tokens.length - comments >= Math.max(4, comments / 4);
}

function keysOf(old: readonly Token[], file: readonly Token[]): readonly [Int32Array, Int32Array] {
  const key = (token: Token): string => token.key;
  return numbered(old.map(key), file.map(key));
}

/** Form drifts in commas, semicolons and escapes. */
function allowance(old: readonly Token[], file: readonly Token[]): number {
  const count = (tokens: readonly Token[]): number =>
    tokens.filter(({ key, kind }) => kind === 'escape' || /^[,;\\]$/.test(key)).length;
  return Math.min(200, count(old) + count(file)) + 16;
}
