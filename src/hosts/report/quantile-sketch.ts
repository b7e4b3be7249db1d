/** Values come one by one and are forgotten; their quantiles stay, each within 1 % of the true value. */
export interface QuantileSketch {
  add(value: number): void;
  /** The value that the share `q` of all values does not exceed; 0 where there is none. */
  quantile(q: number): number;
  count(): number;
  sum(): number;
  /** Exact. */
  max(): number;
}

/** Neighbouring buckets' bounds: a bucket's middle is within 1 % of all that is in it. */
const RATIO = 1.02;
const LEAST = 0.001;

/** Counts in buckets whose bounds grow by 2 %: some 1,500 numbers at most, whatever is added. */
export function createQuantileSketch(): QuantileSketch {
  const buckets = new Map<number, number>();
  let [count, sum, max] = [0, 0, 0];
  const middleOf = (bucket: number): number => (bucket < 0 ? 0 : (LEAST * RATIO ** bucket * (1 + RATIO)) / 2);
  return {
    add(value) {
      const known = Number.isFinite(value) && value > 0 ? Math.min(value, 1e12) : 0;
      const bucket = known < LEAST ? -1 : Math.floor(Math.log(known / LEAST) / Math.log(RATIO));
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      count += 1;
      sum += known;
      max = Math.max(max, known);
    },
    quantile(q) {
      const rank = Math.max(1, Math.ceil(q * count));
      let before = 0;
      for (const bucket of [...buckets.keys()].sort((a, b) => a - b)) {
        before += buckets.get(bucket) ?? 0;
        if (before >= rank) return Math.min(middleOf(bucket), max);
      }
      return 0;
    },
    count: () => count,
    sum: () => sum,
    max: () => max,
  };
}

/** A sketch as figures. */
export interface Spread {
  readonly median: number;
  readonly p95: number;
  readonly worst: number;
}

/** Median and p95 within 1 %, and the exact worst. */
export function spreadOf(sketch: QuantileSketch): Spread {
  return { median: sketch.quantile(0.5), p95: sketch.quantile(0.95), worst: sketch.max() };
}
