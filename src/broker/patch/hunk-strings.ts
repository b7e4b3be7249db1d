import type { Strings } from '../match/variants.ts';
import { newLines, oldLines, type PatchHunk } from './patch.ts';

/** The lines of a hunk before and after as the strings of an edit. */
export function hunkStrings(hunk: PatchHunk): Strings {
  return { oldString: joined(oldLines(hunk)), newString: joined(newLines(hunk)) };
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
