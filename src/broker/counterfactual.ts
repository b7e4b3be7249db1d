import { applySpanEdits } from '../workspace/span.ts';
import { locate } from './cascade.ts';
import type { EditRequest } from './edit-plan.ts';
import { occurrences } from './match/occurrences.ts';
import { syntaxOf } from './match/syntax.ts';
import { MATCHED_VIA, type MatchedVia } from './matched-via.ts';
import { planEdit } from './plan-edit.ts';
import { Searched } from './searched.ts';

/**
 * How an edit might be matched otherwise: `exact`, `line-trimmed`, …: by the cascade, but by nothing laxer than that
 * strategy; `first-exact`: the first place that is equal, however many there are, as a plain `replace` does.
 */
export type OtherMatcher = Exclude<MatchedVia, 'multi-occurrence'> | 'first-exact';

/**
 * By what an edit can be judged again: each strategy as the laxest that is allowed, and a plain editor that takes the
 * first exact place.
 */
export const OTHER_MATCHERS: readonly OtherMatcher[] = [
  ...MATCHED_VIA.filter((via): via is Exclude<MatchedVia, 'multi-occurrence'> => via !== 'multi-occurrence'),
  'first-exact',
];

/** The text that another matcher would have left, or `undefined` where it would have refused. Pure. */
export function editedAs(matcher: OtherMatcher, text: string, request: EditRequest): string | undefined {
  const { oldString, newString, path } = request;
  if (matcher === 'first-exact') {
    const at = oldString === '' ? -1 : text.indexOf(oldString);
    if (at < 0) return undefined;
    return request.replaceAll
      ? text.replaceAll(oldString, () => newString)
      : text.slice(0, at) + newString + text.slice(at + oldString.length);
  }
  const plan = planEdit(text, request);
  if (plan.status === 'refused') return undefined;
  if (oldString !== '' && occurrences(text, oldString).length === 0) {
    const located = locate(new Searched(text, syntaxOf(path)), { oldString, newString });
    if (located.status === 'absent' || MATCHED_VIA.indexOf(located.via) > MATCHED_VIA.indexOf(matcher))
      return undefined;
  }
  return applySpanEdits(text, plan.edits);
}
