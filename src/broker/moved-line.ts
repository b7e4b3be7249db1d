import type { LineChange } from './line-changes.ts';

/** Where a line (1-based) that none of the hunks replaced stands after them. */
export function movedLine(line: number, hunks: readonly LineChange[]): number {
  let shift = 0;
  for (const { old, new: now } of hunks) if (old[0] + old[1] <= line) shift += now[1] - old[1];
  return line + shift;
}
