import type { Budget } from './budget.ts';

/** How two sequences are laid side by side. */
interface AlignOptions {
  /** The most elements that may stand on one side alone; beyond it the two are called unlike. */
  readonly maxDifferences: number;
  /** Which ends of `b` may be left over at no cost: with both, `a` is looked for inside `b`. */
  readonly free: 'none' | 'start' | 'end' | 'ends';
  /** Pays for every diagonal that is followed; once it is spent the two are called unlike. */
  readonly budget?: Budget | undefined;
}

/**
 * For each element of `a` the index in `b` that it is paired with, or -1: a longest common subsequence (Myers), or
 * `undefined` where more than `maxDifferences` elements stay unpaired. Pairs are equal numbers, in order.
 */
export function align(a: Int32Array, b: Int32Array, options: AlignOptions): Int32Array | undefined {
  const pairs = new Int32Array(a.length).fill(-1);
  if (options.free !== 'none') return search({ a, b, offset: 0, pairs }, options);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) pairs[head] = head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) {
    tail += 1;
    pairs[a.length - tail] = b.length - tail;
  }
  const middle = { a: a.subarray(head, a.length - tail), b: b.subarray(head, b.length - tail) };
  return search({ ...middle, offset: head, pairs }, options);
}

interface Sequences {
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** What the indices in `pairs` are ahead of those of `a` and `b`. */
  readonly offset: number;
  readonly pairs: Int32Array;
}

/** How far along `a` each diagonal `k = x - y` comes with so many unpaired elements; `reach[k - low]`, -1 for not yet. */
interface Round {
  readonly low: number;
  readonly reach: Int32Array;
}

function search(sequences: Sequences, { maxDifferences, free, budget }: AlignOptions): Int32Array | undefined {
  const { a, b, pairs } = sequences;
  const [n, m] = [a.length, b.length];
  if (free === 'none' && Math.abs(n - m) > maxDifferences) return undefined;
  const [isStartFree, isEndFree] = [free === 'start' || free === 'ends', free === 'end' || free === 'ends'];
  const rounds: Round[] = [];
  for (let d = 0; d <= Math.min(maxDifferences, n + m); d++) {
    const low = isStartFree ? -m : -Math.min(m, d);
    const high = Math.min(n, d);
    if (budget?.spend(high - low + 1) === false) return undefined;
    const round = { low, reach: new Int32Array(high - low + 1) };
    const before = rounds.at(-1);
    let end: number | undefined;
    for (let k = low; k <= high; k++) {
      let x = before ? step(before, k, sequences).x : 0;
      while (x >= 0 && x < n && x - k < m && a[x] === b[x - k]) x += 1;
      round.reach[k - low] = x;
      if (end === undefined && x === n && (isEndFree || n - k === m)) end = k;
    }
    rounds.push(round);
    if (end === undefined) continue;
    trace(sequences, rounds, end);
    return pairs;
  }
  return undefined;
}

/** Where diagonal `k` starts in the round after `before`, and from which diagonal it comes. */
function step(before: Round, k: number, { a, b }: Sequences): { readonly x: number; readonly from: number } {
  const { reach, low } = before;
  let [x, from] = [reach[k - low] ?? -1, k];
  const left = reach[k + 1 - low] ?? -1;
  if (left > x && left - k <= b.length) [x, from] = [left, k + 1];
  const right = reach[k - 1 - low] ?? -1;
  if (right >= 0 && right + 1 > x && right < a.length) [x, from] = [right + 1, k - 1];
  return { x, from };
}

function trace(sequences: Sequences, rounds: readonly Round[], end: number): void {
  const { a, b, offset, pairs } = sequences;
  let k = end;
  let x = a.length;
  for (let d = rounds.length - 1; d >= 0; d--) {
    const before = rounds[d - 1];
    const start = before ? step(before, k, sequences) : { x: 0, from: k };
    while (x > start.x && x - k > 0 && a[x - 1] === b[x - 1 - k]) {
      x -= 1;
      pairs[offset + x] = offset + x - k;
    }
    if (start.from === k - 1) x -= 1;
    k = start.from;
  }
}
