import { MATCHED_VIA, type MatchedVia } from '../matched-via.ts';

/** A strategy's rank in the cascade: the lower, the stricter. */
export type Grade = number;

function rank(via: MatchedVia): Grade {
  return MATCHED_VIA.indexOf(via);
}

export const EXACT = rank('exact');
export const LINE_ENDINGS = rank('line-endings');
export const LINE_TRIMMED = rank('line-trimmed');
export const INDENTATION = rank('indentation-flexible');
export const WHITESPACE = rank('whitespace-normalized');
export const UNICODE = rank('unicode-normalized');
export const ESCAPE = rank('escape-normalized');
export const BLOCK_ANCHOR = rank('block-anchor');
export const CONTEXT = rank('context-aware');

export function gradeName(grade: Grade): MatchedVia {
  return MATCHED_VIA[grade] ?? 'context-aware';
}
