/** A run of lines, 1-based, both ends in it. */
export type LineRange = readonly [first: number, last: number];

/** Ranges in order, those that overlap or touch made one. */
export function mergeRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (last < first) continue;
    const end = merged.at(-1);
    if (end && first <= end[1] + 1) end[1] = Math.max(end[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** What is left of ranges without the lines of one. */
export function withoutRange(ranges: readonly LineRange[], [from, to]: LineRange): readonly LineRange[] {
  return ranges
    .flatMap(([first, last]): LineRange[] => [
      [first, Math.min(last, from - 1)],
      [Math.max(first, to + 1), last],
    ])
    .filter(([first, last]) => first <= last);
}

/** Whether every line from 1 to `count` is in ranges as `mergeRanges` gives them. */
export function coversLines(ranges: readonly LineRange[], count: number): boolean {
  return count === 0 || ranges.some(([first, last]) => first === 1 && last >= count);
}

/** Whether any line of `range` is in `ranges`. */
export function touchesRanges(ranges: readonly LineRange[], range: LineRange): boolean {
  return ranges.some(([first, last]) => first <= range[1] && range[0] <= last);
}
