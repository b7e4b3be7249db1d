import { type CellMeasures, MEASURES, type MeasureKey } from './cell-measures.ts';
import { studentT } from './student-t.ts';

/** A journal's figures, under the name that tells which journal of the other set is of the same task. */
export interface Cell {
  readonly name: string;
  readonly measures: CellMeasures;
}

/** How a measure differs: `second` less `first`, with its interval. */
export interface Difference {
  readonly key: MeasureKey;
  readonly first: number;
  readonly second: number;
  readonly difference: number;
  /** Absent where fewer than two cells of each set (or two pairs) have the figure. */
  readonly interval?: readonly [number, number];
  readonly cells: readonly [number, number];
  /** The interval does not hold 0. */
  readonly verdict: 'differs' | 'no difference shown' | 'too few cells';
}

/** What differs between two sets of cells by more than chance. */
export interface CellComparison {
  readonly method: 'paired' | 'unpaired';
  /** Over all measures together. */
  readonly confidence: number;
  readonly differences: readonly Difference[];
  /** Journals of each set without one of their name in the other, which are left out where the others are paired. */
  readonly unpaired?: readonly [number, number];
}

const CONFIDENCE = 0.95;
/** Of sets that have other journals besides: fewer say less than all journals without pairs. */
const MIN_PAIRS = 3;

/**
 * The difference of means by cell, with Student's interval: of the pairs where the names of at least half of the
 * smaller set are in the other, each once; else Welch's, of all. The intervals hold together with 95 % (Bonferroni): so
 * of two sets that differ in nothing hardly any measure is called different by chance.
 */
export function compareCells(first: readonly Cell[], second: readonly Cell[]): CellComparison {
  const others = new Map(second.map((cell) => [cell.name, cell]));
  const named = first.filter(({ name }) => others.has(name)).length;
  const isPaired =
    others.size === second.length &&
    new Set(first.map(({ name }) => name)).size === first.length &&
    named > 0 &&
    (named === Math.max(first.length, second.length) ||
      (named >= MIN_PAIRS && 2 * named >= Math.min(first.length, second.length)));
  const confidence = 1 - (1 - CONFIDENCE) / MEASURES.length;
  const differences: Difference[] = [];
  for (const { key } of MEASURES) {
    const pairs = first.flatMap((cell) => {
      const [a, b] = [cell.measures[key], others.get(cell.name)?.measures[key]];
      return a === undefined || b === undefined ? [] : [{ a, b }];
    });
    const sides = isPaired
      ? ([pairs.map(({ a }) => a), pairs.map(({ b }) => b)] as const)
      : ([valuesOf(first, key), valuesOf(second, key)] as const);
    if (sides[0].length === 0 || sides[1].length === 0) continue;
    const spread = isPaired ? pairedSpread(pairs, confidence) : welchSpread(sides[0], sides[1], confidence);
    const [a, b] = [mean(sides[0]), mean(sides[1])];
    const difference = isRounding(a, b) ? 0 : b - a;
    const interval = spread === undefined ? undefined : ([difference - spread, difference + spread] as const);
    const isApart = interval !== undefined && (interval[0] > 0 || interval[1] < 0);
    differences.push({
      ...{ key, first: a, second: b, difference, cells: [sides[0].length, sides[1].length] },
      ...(interval && { interval }),
      verdict: interval === undefined ? 'too few cells' : isApart ? 'differs' : 'no difference shown',
    });
  }
  const unpaired = isPaired ? ([first.length - named, second.length - named] as const) : undefined;
  return {
    ...{ method: isPaired ? 'paired' : 'unpaired', confidence: CONFIDENCE, differences },
    ...(unpaired && unpaired[0] + unpaired[1] > 0 && { unpaired }),
  };
}

/** Means of equal values differ in their last digits where there are more of one. */
const isRounding = (a: number, b: number): boolean => Math.abs(b - a) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));

const valuesOf = (cells: readonly Cell[], key: MeasureKey): readonly number[] =>
  cells.flatMap(({ measures }) => measures[key] ?? []);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of the mean: variance over number. */
function error(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1) / values.length;
}

function pairedSpread(
  pairs: readonly { readonly a: number; readonly b: number }[],
  confidence: number,
): number | undefined {
  if (pairs.length < 2) return undefined;
  return studentT(confidence, pairs.length - 1) * Math.sqrt(error(pairs.map(({ a, b }) => b - a)));
}

function welchSpread(a: readonly number[], b: readonly number[], confidence: number): number | undefined {
  if (a.length < 2 || b.length < 2) return undefined;
  const [left, right] = [error(a), error(b)];
  if (left + right === 0) return 0;
  const freedom = (left + right) ** 2 / (left ** 2 / (a.length - 1) + right ** 2 / (b.length - 1));
  return studentT(confidence, freedom) * Math.sqrt(left + right);
}
