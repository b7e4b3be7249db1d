import type { LineRange } from './line-ranges.ts';

/** The one place that words which lines something is about. */

const MAX_RANGES = 8;

/** `L12`, or `L120-131`. */
export function rangeWords([first, last]: LineRange): string {
  return first === last ? `L${first}` : `L${first}-${last}`;
}

/** `L12, L120-131`: no more than eight, then how many more there are. */
export function rangeList(ranges: readonly LineRange[]): string {
  const shown = ranges.slice(0, MAX_RANGES).map(rangeWords).join(', ');
  const left = ranges.length - MAX_RANGES;
  return left > 0 ? `${shown} and ${left} more place${left === 1 ? '' : 's'}` : shown;
}

/** `L12, L15-16` of 1-based line numbers in order; no more than eight stretches of them. */
export function lineList(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && line <= last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return rangeList(ranges);
}
