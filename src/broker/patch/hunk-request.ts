import type { EditRequest } from '../edit-plan.ts';
import type { PlanEdit } from '../edit-planner.ts';
import type { LineRange } from '../line-ranges.ts';
import { betterKnown, type SeenText } from '../plan-seen-edit.ts';
import type { Refusal } from '../refusal.ts';
import { hunkStrings } from './hunk-strings.ts';
import { oldLines, type PatchHunk } from './patch.ts';
import type { PlacedHunk } from './place-hunk.ts';
import type { TextLines } from './text-lines.ts';

/** A hunk as the strings of an edit. */
export function hunkRequest(hunk: PatchHunk, shown: string): EditRequest {
  return { ...hunkStrings(hunk), replaceAll: false, path: shown };
}

/**
 * Refuses an exact place that the session never saw where its lines fit under a laxer rule among those that it did; not
 * where the hunk points at the place, by an `@@` line, by its number or as the end of the file.
 */
export async function unseenPlace(
  seen: SeenText,
  hunk: PatchHunk,
  at: {
    readonly place: PlacedHunk;
    readonly lines: TextLines;
    readonly shift: number;
    readonly planEdit: PlanEdit;
  },
): Promise<Refusal | undefined> {
  const { place, lines, shift, planEdit } = at;
  const isTold = hunk.expectedLine !== undefined && (place.shift === 0 || place.shift === shift);
  if (place.plan || isTold || hunk.isAtEnd || hunk.headers.length > 0 || oldLines(hunk).length === 0) return undefined;
  // What comes at the end hangs on the last line, be that ended or not.
  const first = Math.min(lines.lineAt(place.edits[0]?.start ?? 0) + 1, lines.lines.length);
  const exact: LineRange = [first, Math.max(first, place.endLine)];
  return betterKnown(seen, { request: hunkRequest(hunk, seen.shown), exact }, planEdit);
}
