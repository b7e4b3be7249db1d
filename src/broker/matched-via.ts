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

/** The name of a strategy, as receipts and journals have it. */
export type MatchedVia = (typeof MATCHED_VIA)[number];

/** Of several, the one that was matched most laxly: what all of them together needed. The first of equals. */
export function laxest<Matched extends { readonly matchedVia?: MatchedVia }>(
  all: readonly Matched[],
): Matched | undefined {
  return all.reduce<Matched | undefined>(
    (most, one) => (most === undefined || laxity(one) > laxity(most) ? one : most),
    undefined,
  );
}

/** Several places of one text are next to exact: how each was matched is not told. */
function laxity({ matchedVia }: { readonly matchedVia?: MatchedVia }): number {
  if (matchedVia === undefined) return -1;
  return matchedVia === 'multi-occurrence' ? 0.5 : MATCHED_VIA.indexOf(matchedVia);
}
