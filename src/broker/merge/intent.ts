import { align } from '../match/align.ts';
import type { Budget } from '../match/budget.ts';
import type { Lexed } from '../match/comparison.ts';
import { numbered } from '../match/numbered.ts';
import type { Token } from '../match/tokens.ts';
import { alikeLines } from './alike-lines.ts';

/** Beyond so many differences, among what both sides have, it is not told any more what is kept. */
const MAX_DIFFERENCES = 3_000;

interface Line {
  readonly text: string;
  readonly trimmed: string;
  /** Indices of its tokens: from `first` up to, not including, `end`. */
  readonly first: number;
  readonly end: number;
}

/**
 * What new_string keeps of old_string: for each of its tokens the one of old_string that it is, or -1 where it is new.
 * Lines first (equal, then equal but for their blanks, then alike, then moved), then the tokens of lines that are alike.
 * Once the budget is gone what it says is worth nothing: it takes all of it where too much differs to tell what is kept,
 * because kept lines that it missed would be written as new_string has them, drift and all.
 */
export function intentOf(old: Lexed, now: Lexed, budget: Budget): Int32Array {
  const origins = new Int32Array(now.tokens.length).fill(-1);
  const [oldLines, newLines] = [linesOf(old), linesOf(now)];
  const pairs = pairLines(oldLines, newLines, budget);
  for (const [index, line] of newLines.entries()) {
    const other = oldLines[pairs[index] ?? -1];
    if (other) pairWords({ lexed: old, line: other }, { lexed: now, line }, { origins, budget });
  }
  return origins;
}

function linesOf({ text, tokens }: Lexed): readonly Line[] {
  const lines: Line[] = [];
  let [offset, first] = [0, 0];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const stop = offset + line.length;
    let end = first;
    while (end < tokens.length && (tokens[end]?.end ?? 0) <= stop) end += 1;
    lines.push({ text: line, trimmed: line.trim(), first, end });
    first = end;
    offset = stop + (text.startsWith('\r\n', stop) ? 2 : 1);
  }
  return lines;
}

/** For each new line the old one that it is, or -1. */
function pairLines(old: readonly Line[], now: readonly Line[], budget: Budget): Int32Array {
  const pairs = new Int32Array(now.length).fill(-1);
  const regions = [{ old: [0, old.length] as const, now: [0, now.length] as const }];
  const passes: readonly ((line: Line) => string)[] = [(line) => line.text, (line) => line.trimmed];
  let open: readonly Region[] = regions;
  for (const key of passes) open = open.flatMap((region) => pairEqual(old, now, { region, key, pairs, budget }));
  for (const region of open) pairAlike(old, now, { region, pairs, budget });
  pairMoved(old, now, pairs);
  return pairs;
}

/** Half-open runs of lines that are not paired yet. */
interface Region {
  readonly old: readonly [number, number];
  readonly now: readonly [number, number];
}

interface Pass {
  readonly region: Region;
  readonly pairs: Int32Array;
  readonly budget: Budget;
}

function pairEqual(
  old: readonly Line[],
  now: readonly Line[],
  { region, key, pairs, budget }: Pass & { readonly key: (line: Line) => string },
): readonly Region[] {
  const [oldStart, oldEnd] = region.old;
  const [newStart, newEnd] = region.now;
  const [a, b] = numbered(old.slice(oldStart, oldEnd).map(key), now.slice(newStart, newEnd).map(key));
  const found = alignShared(a, b, budget);
  if (!found) {
    budget.exhaust();
    return [];
  }
  const open: Region[] = [];
  let [i, j] = [oldStart, newStart];
  const close = (oldTo: number, newTo: number): void => {
    if (oldTo > i && newTo > j) open.push({ old: [i, oldTo], now: [j, newTo] });
  };
  for (const [index, pair] of found.entries()) {
    if (pair < 0) continue;
    close(oldStart + index, newStart + pair);
    pairs[newStart + pair] = oldStart + index;
    [i, j] = [oldStart + index + 1, newStart + pair + 1];
  }
  close(oldEnd, newEnd);
  return open;
}

/** A longest common subsequence; what only one side has is not looked at. */
function alignShared(a: Int32Array, b: Int32Array, budget: Budget): Int32Array | undefined {
  const indicesIn = (list: Int32Array, values: ReadonlySet<number>): readonly number[] =>
    [...list.keys()].filter((index) => values.has(list[index] ?? -1));
  const [mine, theirs] = [indicesIn(a, new Set(b)), indicesIn(b, new Set(a))];
  const at = (list: Int32Array) => (index: number) => list[index] ?? -1;
  const options = { maxDifferences: MAX_DIFFERENCES, free: 'none', budget } as const;
  const found = align(Int32Array.from(mine, at(a)), Int32Array.from(theirs, at(b)), options);
  if (!found) return undefined;
  const pairs = new Int32Array(a.length).fill(-1);
  for (const [index, pair] of found.entries()) if (pair >= 0) pairs[mine[index] ?? 0] = theirs[pair] ?? -1;
  return pairs;
}

function pairAlike(old: readonly Line[], now: readonly Line[], { region, pairs, budget }: Pass): void {
  const trimmed = (lines: readonly Line[]): readonly string[] => lines.map((line) => line.trimmed);
  const found = alikeLines(trimmed(old.slice(...region.old)), trimmed(now.slice(...region.now)), budget);
  for (const [i, j] of found) pairs[region.now[0] + j] = region.old[0] + i;
}

/** A new line that is an old one from another place, where both sides have it once more than they are paired. */
function pairMoved(old: readonly Line[], now: readonly Line[], pairs: Int32Array): void {
  const used = new Set(pairs);
  const free = new Map<string, number[]>();
  for (const [index, { trimmed }] of old.entries()) {
    if (trimmed.length <= 3 || used.has(index)) continue;
    const others = free.get(trimmed);
    if (others) others.push(index);
    else free.set(trimmed, [index]);
  }
  for (const [index, { trimmed }] of now.entries()) {
    const origin = pairs[index] === -1 ? free.get(trimmed) : undefined;
    if (origin?.length === 1) pairs[index] = origin.pop() ?? -1;
  }
}

interface LineOf {
  readonly lexed: Lexed;
  readonly line: Line;
}

function pairWords(
  old: LineOf,
  now: LineOf,
  { origins, budget }: { readonly origins: Int32Array; readonly budget: Budget },
): void {
  const found = alignShared(...numbered(tokenTexts(old), tokenTexts(now)), budget);
  if (!found) budget.exhaust();
  for (const [index, pair] of (found ?? []).entries()) {
    if (pair >= 0) origins[now.line.first + pair] = old.line.first + index;
  }
}

function tokenTexts({ lexed, line }: LineOf): readonly string[] {
  return lexed.tokens
    .slice(line.first, line.end)
    .map((token: Token) => lexed.text.slice(token.start, token.end) || token.key);
}
