import type { Span } from '../../workspace/span.ts';
import { withoutEnding } from '../line-hunks.ts';
import type { Difference, Nearest } from '../refusal-words.ts';
import { align } from './align.ts';
import { alignRare } from './align-rare.ts';
import type { Budget } from './budget.ts';
import { enclosingSymbol } from './enclosing-symbol.ts';
import { lineOfOffset, type SquashIndex, squashIndex } from './squash-index.ts';

const MAX_DIFFERENCES = 3;
/** What showing a line costs beside pairing it, in steps. */
const STEPS_A_LINE = 4;
/** Lines of old_string times lines of a place: beyond it only lines that stand once are paired. */
const MAX_CELLS = 250_000;

/** The file's lines most like old_string among the candidates, and where they differ; `undefined` where none is like it. */
export function nearestPlace(
  { index, budget }: { readonly index: SquashIndex; readonly budget: Budget },
  oldString: string,
  places: readonly Span[],
): Nearest | undefined {
  const old = squashIndex(oldString.replace(/(?:\r\n|\r|\n)$/, ''));
  let best: Nearest | undefined;
  for (const place of places.slice(0, 3)) {
    const near = laidOver({ index, budget }, old, place);
    if (near && (!best || near.equal > best.equal)) best = near;
  }
  const symbol = best && enclosingSymbol(index.text, index.lineOffsets[best.first - 1] ?? 0);
  return best && symbol !== undefined ? { ...best, symbol } : best;
}

function laidOver(
  { index, budget }: { readonly index: SquashIndex; readonly budget: Budget },
  old: SquashIndex,
  place: Span,
): Nearest | undefined {
  const first = lineOfOffset(index, place.start);
  const end = Math.max(first + 1, lineOfOffset(index, Math.max(place.start, place.end - 1)) + 1);
  const hashes = index.lineHashes.subarray(first, end);
  const isLarge = old.lineCount * hashes.length > MAX_CELLS;
  const isPaid = budget.spend(STEPS_A_LINE * (old.lineCount + hashes.length));
  const options = { maxDifferences: 400, free: 'ends', budget } as const;
  const pairs = isLarge || !isPaid ? undefined : align(old.lineHashes, hashes, options);
  return nearIn({ index, old, first, end, pairs: pairs ?? alignRare(old.lineHashes, hashes) });
}

interface LaidLines {
  readonly index: SquashIndex;
  readonly old: SquashIndex;
  /** The file's lines that are looked at, 0-based, the end not included. */
  readonly first: number;
  readonly end: number;
  readonly pairs: Int32Array;
}

function nearIn({ index, old, first, end, pairs }: LaidLines): Nearest | undefined {
  const known = [...pairs.entries()].filter(([line, pair]) => pair >= 0 && old.lineHashes[line] !== 0);
  if (known.length === 0 && old.lineCount * (end - first) > MAX_CELLS) return undefined;
  const [anchor] = known.length > 0 ? known : [likestLine(index, old, first, end)];
  if (!anchor) return undefined;
  if (known.length === 0) pairs[anchor[0]] = anchor[1];
  const lineText = (source: SquashIndex, line: number): string =>
    withoutEnding(source.text.slice(source.lineOffsets[line] ?? 0, source.lineOffsets[line + 1] ?? source.text.length));
  const lastPair = known.at(-1) ?? anchor;
  const low = Math.max(0, first + anchor[1] - anchor[0]);
  const high = Math.min(index.lineCount - 1, first + lastPair[1] + (old.lineCount - 1 - lastPair[0]));
  let equal = 0;
  const worded: Difference[] = [];
  const formal: Difference[] = [];
  const followed = nextPairs(pairs);
  let next = low;
  for (let line = 0; line < old.lineCount; line++) {
    const pair = pairs[line] ?? -1;
    const yours = lineText(old, line);
    const real = pair >= 0 ? first + pair : next;
    if (pair >= 0) {
      for (let extra = next; extra < real; extra++) {
        if (index.lineHashes[extra] !== 0)
          worded.push({ line: extra + 1, yours: undefined, file: lineText(index, extra) });
      }
    }
    const isTaken = pair < 0 && (real > high || (followed[line] ?? Number.POSITIVE_INFINITY) <= real - first);
    const file = isTaken ? undefined : lineText(index, real);
    if (file === yours) equal += 1;
    else if (pair >= 0 && known.length > 0) formal.push({ line: real + 1, yours, file });
    else worded.push({ line: Math.min(real, index.lineCount - 1) + 1, yours, file });
    if (!isTaken) next = real + 1;
  }
  const differences = [...worded, ...formal].slice(0, MAX_DIFFERENCES);
  return { first: low + 1, last: Math.max(low, high) + 1, equal, of: old.lineCount, differences };
}

/** For each line the pair of the first one below it that has one. */
function nextPairs(pairs: Int32Array): Float64Array {
  const next = new Float64Array(pairs.length).fill(Number.POSITIVE_INFINITY);
  for (let line = pairs.length - 2; line >= 0; line--) {
    const pair = pairs[line + 1] ?? -1;
    next[line] = pair >= 0 ? pair : (next[line + 1] ?? Number.POSITIVE_INFINITY);
  }
  return next;
}

/** The pair of lines that share the most words, where no line is the same on both sides. */
function likestLine(index: SquashIndex, old: SquashIndex, first: number, end: number): [number, number] | undefined {
  let best: [number, number] | undefined;
  let most = 0;
  for (let line = 0; line < Math.min(old.lineCount, 20); line++) {
    const words = wordsOf(old, line);
    for (let real = first; real < Math.min(end, first + 60); real++) {
      const others = wordsOf(index, real);
      let shared = 0;
      for (const word of words) if (others.has(word)) shared += word.length;
      if (shared > most) [most, best] = [shared, [line, real - first]];
    }
  }
  return best;
}

function wordsOf({ text, lineOffsets }: SquashIndex, line: number): ReadonlySet<string> {
  const start = lineOffsets[line] ?? 0;
  return new Set(
    text
      .slice(start, Math.min(lineOffsets[line + 1] ?? text.length, start + 2_000))
      .match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu),
  );
}
