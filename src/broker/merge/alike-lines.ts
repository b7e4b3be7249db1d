import { distance } from 'fastest-levenshtein';
import type { Budget } from '../match/budget.ts';

/** Pairs of lines that are compared at the most. */
const MAX_PAIRS = 250_000;
/** What of two lines must be the same, as a share. */
const LEAST_ALIKE = 0.45;
/** A line that holds the other whole is as much like it. */
const CONTAINED = 0.6;
const MIN_CONTAINED = 6;
/** So many characters of a line are compared. */
const MAX_COMPARED = 400;
/** So many lines may be added or dropped, one after the other, before lines that are alike are missed. */
const REACH = 30;
/** What comparing two lines costs, in steps: reading them, and so many pairs of their characters a step. */
const STEPS_A_PAIR = 8;
const CHARACTERS_A_STEP = 1_600;

/**
 * Pairs of indices, in order, of lines that are most alike in all. Near-linear: lines too far from the diagonals between
 * both corners are not compared. Takes the whole budget where that does not suffice.
 */
export function alikeLines(
  rows: readonly string[],
  columns: readonly string[],
  budget: Budget,
): readonly (readonly [number, number])[] {
  const low = Math.max(-rows.length, Math.min(0, columns.length - rows.length) - REACH);
  const high = Math.min(columns.length, Math.max(0, columns.length - rows.length) + REACH);
  const width = high - low + 1;
  const count = rows.length * Math.min(width, columns.length);
  if (count > MAX_PAIRS) budget.exhaust();
  const size = (meanLength(rows) * meanLength(columns)) / CHARACTERS_A_STEP;
  if (!budget.spend(Math.ceil(count * (STEPS_A_PAIR + size)))) return [];
  const best = new Float64Array((rows.length + 1) * width);
  const bestAt = (i: number, j: number): number =>
    j - i < low || j - i > high ? 0 : (best[i * width + j - i - low] ?? 0);
  for (let i = rows.length - 1; i >= 0; i--) {
    for (let j = Math.min(columns.length - 1, i + high); j >= Math.max(0, i + low); j--) {
      const score = likeness(rows[i] ?? '', columns[j] ?? '');
      const paired = score >= LEAST_ALIKE ? score + bestAt(i + 1, j + 1) : 0;
      best[i * width + j - i - low] = Math.max(paired, bestAt(i + 1, j), bestAt(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < rows.length && j < columns.length && bestAt(i, j) > 0; ) {
    if (bestAt(i, j) === bestAt(i + 1, j)) i += 1;
    else if (bestAt(i, j) === bestAt(i, j + 1)) j += 1;
    else pairs.push([i++, j++]);
  }
  return pairs;
}

const meanLength = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Math.min(line.length, MAX_COMPARED), 0) / Math.max(1, lines.length);

function likeness(a: string, b: string): number {
  const [x, y] = [a.slice(0, MAX_COMPARED), b.slice(0, MAX_COMPARED)];
  const longest = Math.max(x.length, y.length);
  const shortest = Math.min(x.length, y.length);
  if (shortest === 0) return 0;
  const contained = shortest >= MIN_CONTAINED && (x.includes(y) || y.includes(x)) ? CONTAINED : 0;
  return shortest < LEAST_ALIKE * longest ? contained : Math.max(contained, 1 - distance(x, y) / longest);
}
