/** One line of the bench: a figure beside its bare baseline, taken side by side in one run. */
export interface BenchRow {
  readonly figure: string;
  /** What it was measured on. */
  readonly inputs: string;
  /** Median, in `unit`. */
  readonly ours: number;
  /** What ours is held against, in `unit`; absent where the goal is a plain number. */
  readonly bare?: number;
  readonly unit: 'ms' | 'MB' | 'tokens' | 'ratio';
  /** `≤ 1.1× bare`, `≤ 10 ms`. */
  readonly goal: string;
  readonly isMet: boolean;
}

/** A row whose goal is a multiple of a bare baseline. */
export function ratioRow(
  row: Pick<BenchRow, 'figure' | 'inputs' | 'ours'> & { readonly bare: number; readonly most: number },
): BenchRow {
  const { most, ...rest } = row;
  return { ...rest, unit: 'ms', goal: `≤ ${most}× bare`, isMet: row.ours <= row.bare * most };
}

/** A row whose goal is a number. */
export function limitRow(
  row: Pick<BenchRow, 'figure' | 'inputs' | 'ours' | 'unit'> & { readonly most: number },
): BenchRow {
  const { most, ...rest } = row;
  return { ...rest, goal: `≤ ${most}${row.unit === 'ratio' ? '×' : ` ${row.unit}`}`, isMet: row.ours <= most };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Times two functions in turn, so that both see the same machine; medians in ms. What is timed first alternates.
 */
export async function sideBySide(
  rounds: number,
  ours: () => Promise<number> | number,
  bare: () => Promise<number> | number,
): Promise<{ readonly ours: number; readonly bare: number }> {
  const own: number[] = [];
  const other: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      own.push(await ours());
      other.push(await bare());
    } else {
      other.push(await bare());
      own.push(await ours());
    }
  }
  return { ours: median(own), bare: median(other) };
}

/** Milliseconds that a function takes. */
export async function elapsed(run: () => Promise<unknown> | unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
