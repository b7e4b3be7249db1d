import { splitLines } from '../line-hunks.ts';
import type { MatchedVia } from '../matched-via.ts';
import type { PatchHunk } from './patch.ts';

/** What a change may give another form: blanks, and characters that look alike. */
function squashed(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, '');
}

/**
 * Whether every line that a hunk adds stands in the text after it, its form aside. A hunk says line by line what comes:
 * where a merge with a drifted file would write anything else, it is better not made.
 */
export function hasAddedLines(after: string, hunk: PatchHunk, via: MatchedVia): boolean {
  // These read the hunk's lines as something else than they are.
  if (via === 'escape-normalized' || via === 'trimmed-boundary') return true;
  const lines = new Set(splitLines(after).map(squashed));
  return hunk.lines.every(({ sign, text }) => sign !== '+' || lines.has(squashed(text)));
}
