import { MATCHED_VIA, type MatchedVia } from '../matched-via.ts';

/** A strategy's rank in the cascade: the lower, the stricter. */
export type Grade = number;

function rank(via: MatchedVia): Grade {
  return MATCHED_VIA.indexOf(via);
}

/** Nothing is forgiven. */
export const EXACT = rank('exact');

/** The kind of line end, a byte order mark and a last newline are forgiven. */
export const LINE_ENDINGS = rank('line-endings');

/** Blanks at the ends of lines are forgiven. */
export const LINE_TRIMMED = rank('line-trimmed');

/** One consistent other indentation is forgiven. */
export const INDENTATION = rank('indentation-flexible');

/** Runs of blanks, and blanks beside punctuation, are forgiven. */
export const WHITESPACE = rank('whitespace-normalized');

/** Look-alikes of characters are forgiven. */
export const UNICODE = rank('unicode-normalized');

/** Escapes that only one side has are forgiven. */
export const ESCAPE = rank('escape-normalized');

/** Drift between an intact first and last line is forgiven. */
export const BLOCK_ANCHOR = rank('block-anchor');

/** Drift between other intact lines is forgiven. */
export const CONTEXT = rank('context-aware');

/** The name under which a grade is reported. */
export function gradeName(grade: Grade): MatchedVia {
  return MATCHED_VIA[grade] ?? 'context-aware';
}
