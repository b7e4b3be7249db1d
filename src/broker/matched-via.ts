/** The strategies of the cascade, strictest first; the one that decided is named in each result. */
export const MATCHED_VIA = [
  'exact',
  'line-endings',
  'line-trimmed',
  'indentation-flexible',
  'whitespace-normalized',
  'unicode-normalized',
  'escape-normalized',
  'trimmed-boundary',
  'block-anchor',
  'context-aware',
  'multi-occurrence',
] as const;

export type MatchedVia = (typeof MATCHED_VIA)[number];
