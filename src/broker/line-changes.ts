import { diffArrays } from 'diff';
import type { LineRange } from './line-ranges.ts';

/** A text as the hashes of its lines, line ends included. */
export type HashedLines = Int32Array;

/** Lines that were replaced: 1-based first line and number of lines, before and after. */
export interface LineChange {
  readonly old: readonly [number, number];
  readonly new: readonly [number, number];
}

/** Above this many changed lines in a row they are told as one change. */
const MAX_EDITS = 2000;

/** Hashes each line (FNV-1a, 32 bits): to tell which changed, where it is known already that something did. */
export function hashLines(text: string): HashedLines {
  const hashes: number[] = [];
  let hash = 0x811c9dc5;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ unit, 0x01000193);
    if (unit !== 10 && (unit !== 13 || text.charCodeAt(at + 1) === 10)) continue;
    hashes.push(hash);
    hash = 0x811c9dc5;
    start = at + 1;
  }
  if (start < text.length) hashes.push(hash);
  return Int32Array.from(hashes);
}

/** What leads from some lines to others, in order. */
export function lineChanges(before: HashedLines, after: HashedLines): readonly LineChange[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const [old, now] = [before.subarray(head, before.length - tail), after.subarray(head, after.length - tail)];
  if (old.length === 0 && now.length === 0) return [];
  const parts = diffArrays([...old], [...now], { maxEditLength: MAX_EDITS });
  if (!parts) return [{ old: [head + 1, old.length], new: [head + 1, now.length] }];
  const changes: { old: [number, number]; new: [number, number] }[] = [];
  let [oldLine, newLine, isOpen] = [head + 1, head + 1, false];
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      oldLine += count;
      newLine += count;
      isOpen = false;
      continue;
    }
    const last = changes.at(-1);
    const change =
      isOpen && last ? last : { old: [oldLine, 0] as [number, number], new: [newLine, 0] as [number, number] };
    if (change !== last) changes.push(change);
    isOpen = true;
    if (added) {
      change.new[1] += count;
      newLine += count;
    } else {
      change.old[1] += count;
      oldLine += count;
    }
  }
  return changes;
}

/** Where lines of the text before are in the text after; those that were replaced are nowhere. */
export function mapRanges(ranges: readonly LineRange[], changes: readonly LineChange[]): readonly LineRange[] {
  return ranges.flatMap(([first, last]) => {
    const mapped: LineRange[] = [];
    let from = first;
    let shift = 0;
    for (const change of changes) {
      const [start, count] = change.old;
      if (start > last) break;
      if (start > from) mapped.push([from + shift, start - 1 + shift]);
      from = Math.max(from, start + count);
      shift += change.new[1] - count;
    }
    return from <= last ? [...mapped, [from + shift, last + shift] as const] : mapped;
  });
}

/** The lines of the text after in which a change shows; of lines that went, the two that they stood between. */
export function changedRanges(changes: readonly LineChange[], lines: number): readonly LineRange[] {
  return changes.map(({ new: [first, count] }) =>
    count > 0 ? [first, first + count - 1] : [Math.max(1, first - 1), Math.max(1, Math.min(first, lines))],
  );
}
