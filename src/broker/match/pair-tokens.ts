import { align } from '../merge/align.ts';
import type { Forgiven } from './comparison.ts';
import type { Token } from './tokens.ts';

/** More differing tokens of code than this are never forgiven. */
const MAX_CODE = 40;
const MAX_COMMENT = 400;

/**
 * For each token of old_string the one of the file that it is, or -1; `undefined` where the two are unlike. Where
 * comments are forgiven, code is paired first and comments only between what is paired: so a long comment that one
 * side lacks does not cost the place.
 */
export function pairTokens(old: readonly Token[], file: readonly Token[], forgiven: Forgiven): Int32Array | undefined {
  if (forgiven !== 'comments')
    return align(...keysOf(old, file), { maxDifferences: allowance(old, file), free: 'ends' });
  const [oldCode, fileCode] = [codeOf(old), codeOf(file)];
  const pick = (tokens: readonly Token[], indices: readonly number[]): readonly Token[] =>
    indices.flatMap((index) => tokens[index] ?? []);
  const found = align(...keysOf(pick(old, oldCode), pick(file, fileCode)), { maxDifferences: MAX_CODE, free: 'ends' });
  if (!found) return undefined;
  const pairs = new Int32Array(old.length).fill(-1);
  for (const [index, pair] of found.entries()) {
    if (pair >= 0) pairs[oldCode[index] ?? 0] = fileCode[pair] ?? -1;
  }
  pairComments(old, file, pairs);
  return pairs;
}

/** Pairs the comments between two pairs of code, and those right before the first and right after the last. */
function pairComments(old: readonly Token[], file: readonly Token[], pairs: Int32Array): void {
  let from = 0;
  let fileFrom: number | undefined;
  for (let index = 0; index <= old.length; index++) {
    const pair = index < old.length ? (pairs[index] ?? -1) : undefined;
    if (pair === -1) continue;
    const low = fileFrom ?? commentStart(file, pair ?? 0);
    const high = pair ?? commentEnd(file, low);
    const comments = old.slice(from, index).flatMap((token, k) => (token.isComment ? [from + k] : []));
    const others = file.slice(low, high).flatMap((token, k) => (token.isComment ? [low + k] : []));
    if (comments.length > 0 && others.length > 0) {
      const found = align(
        ...keysOf(
          comments.flatMap((k) => old[k] ?? []),
          others.flatMap((k) => file[k] ?? []),
        ),
        {
          maxDifferences: MAX_COMMENT,
          free: fileFrom === undefined || pair === undefined ? 'ends' : 'none',
        },
      );
      for (const [k, match] of (found ?? []).entries()) {
        if (match >= 0) pairs[comments[k] ?? 0] = others[match] ?? -1;
      }
    }
    if (pair === undefined) return;
    [from, fileFrom] = [index + 1, pair + 1];
  }
}

function commentStart(file: readonly Token[], index: number): number {
  let start = index;
  while (start > 0 && file[start - 1]?.isComment) start -= 1;
  return start;
}

function commentEnd(file: readonly Token[], index: number): number {
  let end = index;
  while (file[end]?.isComment) end += 1;
  return end;
}

const codeOf = (tokens: readonly Token[]): readonly number[] =>
  tokens.flatMap((token, index) => (token.isComment ? [] : [index]));

/** Numbers for keys, the same on both sides. */
function keysOf(old: readonly Token[], file: readonly Token[]): [Int32Array, Int32Array] {
  const ids = new Map<string, number>();
  const idOf = ({ key }: Token): number => {
    const id = ids.get(key) ?? ids.size;
    ids.set(key, id);
    return id;
  };
  return [Int32Array.from(old, idOf), Int32Array.from(file, idOf)];
}

/** Form drifts in commas, semicolons and escapes; words in a few misspellings. */
function allowance(old: readonly Token[], file: readonly Token[]): number {
  const count = (tokens: readonly Token[]): number =>
    tokens.filter(({ key, kind }) => kind === 'escape' || /^[,;\\]$/.test(key)).length;
  return Math.min(200, count(old) + count(file)) + 16;
}
