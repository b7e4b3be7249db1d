/** What happened in one stretch of time. */
export interface Bin {
  ok: number;
  refused: number;
  introduced: number;
  fixed: number;
  /** Of the fixed, those that the run itself had introduced. */
  closed: number;
}

interface TimeBins {
  add(ms: number, what: Partial<Bin>): void;
  result(): { readonly binMs: number; readonly bins: readonly Readonly<Bin>[] };
}

const BINS = 60;
const FIRST_BIN_MS = 100;
const MAX_MS = 10 * 365 * 24 * 3_600_000;

/** At most sixty bins, however long the time: when it does not fit, neighbours become one. */
export function createTimeBins(): TimeBins {
  let binMs = FIRST_BIN_MS;
  let bins: Bin[] = [];
  const none = (): Bin => ({ ok: 0, refused: 0, introduced: 0, fixed: 0, closed: 0 });
  const put = (bin: Bin, what: Partial<Bin>): void => {
    bin.ok += what.ok ?? 0;
    bin.refused += what.refused ?? 0;
    bin.introduced += what.introduced ?? 0;
    bin.fixed += what.fixed ?? 0;
    bin.closed += what.closed ?? 0;
  };
  return {
    add(ms, what) {
      const at = Number.isFinite(ms) ? Math.min(Math.max(0, ms), MAX_MS) : 0;
      while (at >= binMs * BINS) {
        const halved: Bin[] = [];
        for (const [index, bin] of bins.entries()) {
          const into = halved[index >> 1] ?? none();
          halved[index >> 1] = into;
          put(into, bin);
        }
        bins = halved;
        binMs *= 2;
      }
      const index = Math.floor(at / binMs);
      while (bins.length <= index) bins.push(none());
      const bin = bins[index];
      if (bin) put(bin, what);
    },
    result: () => ({ binMs, bins }),
  };
}
