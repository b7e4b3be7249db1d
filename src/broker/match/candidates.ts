import type { Span } from '../../workspace/span.ts';
import { lineOfOffset, offsetOfPosition, type SquashIndex, squashIndex } from './squash-index.ts';

/** More places than this are not looked at. */
export const MAX_CANDIDATES = 8;
/** A place with a smaller share of the votes than this, beside the likeliest, can't hold all of old_string. */
const LEAST_SHARE = 0.3;
/** A line that the file has more often than this says little about a place. */
const COMMON = 64;
const FRAGMENT = 12;
const SMALL_FRAGMENT = 6;
const MAX_FRAGMENTS = 24;
const MAX_FRAGMENT_HITS = 16;

/**
 * Where old_string's lines lie thickest in a file: the places that are worth a full comparison, likeliest first. Lines of
 * old_string vote for the diagonals on which the file has them, rare ones for more; where none is found, pieces of lines do.
 */
export function candidates(index: SquashIndex, oldString: string): readonly Span[] {
  const old = squashIndex(oldString);
  const byLines = lineVotes(index, old);
  return byLines.length > 0 ? byLines : fragmentVotes(index, old, { length: oldString.length, size: FRAGMENT });
}

/** Where the file has small pieces of what it has no larger one of: too little to edit by, enough to show. */
export function faintCandidates(index: SquashIndex, oldString: string): readonly Span[] {
  return fragmentVotes(index, squashIndex(oldString), { length: oldString.length, size: SMALL_FRAGMENT });
}

interface Vote {
  readonly diagonal: number;
  readonly weight: number;
  /** First and past-the-last line, or byte, of old_string laid on this diagonal. */
  readonly low: number;
  readonly high: number;
}

function lineVotes(index: SquashIndex, old: SquashIndex): readonly Span[] {
  const wanted = new Map<number, { readonly lines: number[]; readonly found: number[] }>();
  for (const [line, hash] of old.lineHashes.entries()) {
    if (hash === 0) continue;
    const entry = wanted.get(hash);
    if (entry) entry.lines.push(line);
    else wanted.set(hash, { lines: [line], found: [] });
  }
  const { lineHashes, lineCount } = index;
  for (let line = 0; line < lineCount; line++) {
    const entry = wanted.get(lineHashes[line] ?? 0);
    if (entry && entry.found.length <= COMMON) entry.found.push(line);
  }
  const votes: Vote[] = [];
  for (const { lines, found } of wanted.values()) {
    if (found.length > COMMON && wanted.size > 1) continue;
    const length = (old.linePositions[(lines[0] ?? 0) + 1] ?? 0) - (old.linePositions[lines[0] ?? 0] ?? 0);
    const weight = Math.min(length, 40) / (found.length * lines.length);
    for (const real of found) {
      for (const line of lines)
        votes.push({ diagonal: real - line, weight, low: real - line, high: real - line + old.lineCount });
    }
  }
  const slack = 4 + Math.ceil(old.lineCount / 2);
  return clustered(votes, 2 + Math.ceil(old.lineCount / 4)).map(({ low, high }) => {
    const [first, last] = [Math.max(0, low - slack), Math.min(lineCount, high + slack)];
    return { start: index.lineOffsets[first] ?? 0, end: index.lineOffsets[last] ?? index.text.length };
  });
}

function fragmentVotes(
  index: SquashIndex,
  old: SquashIndex,
  of: { readonly length: number; readonly size: number },
): readonly Span[] {
  const bytes = old.bytes;
  const size = Math.min(of.size, bytes.length);
  if (size < 4) return [];
  const step = Math.max(1, Math.floor((bytes.length - size) / MAX_FRAGMENTS));
  const votes: Vote[] = [];
  for (let from = 0; from + size <= bytes.length; from += step) {
    const found: number[] = [];
    const fragment = bytes.subarray(from, from + size);
    for (
      let at = index.bytes.indexOf(fragment);
      at >= 0 && found.length <= MAX_FRAGMENT_HITS;
      at = index.bytes.indexOf(fragment, at + 1)
    ) {
      found.push(at);
    }
    if (found.length > MAX_FRAGMENT_HITS) continue;
    for (const at of found) {
      votes.push({ diagonal: at - from, weight: 1 / found.length, low: at - from, high: at - from + bytes.length });
    }
  }
  const slack = 24 + Math.ceil(bytes.length / 8);
  return clustered(votes, slack).map(({ low, high }) => {
    const start = offsetOfPosition(index, Math.max(0, low - slack));
    const end = offsetOfPosition(index, Math.min(index.bytes.length, high + slack));
    return toLines(index, { start, end }, of.length);
  });
}

/** Whole lines, unless those are far longer than what is looked for. */
function toLines(index: SquashIndex, span: Span, length: number): Span {
  const start = index.lineOffsets[lineOfOffset(index, span.start)] ?? span.start;
  const end = index.lineOffsets[lineOfOffset(index, span.end) + 1] ?? span.end;
  return end - start > 4_000 + 3 * length ? span : { start, end };
}

interface Cluster {
  weight: number;
  low: number;
  high: number;
}

/** Votes whose diagonals lie close together, as one; the heaviest first. */
function clustered(votes: readonly Vote[], reach: number): readonly Cluster[] {
  const clusters: (Cluster & { readonly first: number })[] = [];
  for (const vote of [...votes].sort((a, b) => a.diagonal - b.diagonal)) {
    const last = clusters.at(-1);
    if (last && vote.diagonal - last.first <= reach) {
      last.weight += vote.weight;
      last.low = Math.min(last.low, vote.low);
      last.high = Math.max(last.high, vote.high);
    } else {
      clusters.push({ first: vote.diagonal, weight: vote.weight, low: vote.low, high: vote.high });
    }
  }
  const most = Math.max(...clusters.map(({ weight }) => weight));
  const likely = clusters.filter(({ weight }) => weight >= LEAST_SHARE * most);
  return likely.sort((a, b) => b.weight - a.weight).slice(0, MAX_CANDIDATES);
}
