import { distance } from 'fastest-levenshtein';
import type { Span } from '../workspace/span.ts';
import { isTooShort } from './cascade.ts';
import { lineNumbers } from './line-numbers.ts';
import { faintCandidates } from './match/candidates.ts';
import type { Comparison } from './match/comparison.ts';
import { formMatches } from './match/form-matches.ts';
import { nearestPlace } from './match/nearest-place.ts';
import { occurrences } from './match/occurrences.ts';
import { showsEdit } from './match/shows-edit.ts';
import type { SquashIndex } from './match/squash-index.ts';
import type { OpenedEdit } from './opened-edit.ts';
import type { Refusal } from './refusal.ts';
import { alreadyApplied, type Nearest, noMatch, tooMany, tooShort, unsearched } from './refusal-words.ts';

/** Characters of a line that are compared with another, and what share of them may differ in a line that is like it. */
const MAX_COMPARED = 500;
const MAX_UNLIKE = 0.5;

/** Why there is no place; `undefined` where the budget did not suffice to know that there is none. */
export function missed(opened: OpenedEdit): Refusal | undefined {
  const { searched, strings, path } = opened;
  const isShort = isTooShort(strings.oldString);
  // Of a short old_string only exact places count, and those were all looked for.
  if (searched.budget.isGone && !isShort) return undefined;
  const applied = appliedAlready(opened);
  if (applied) return applied;
  if (isShort) return tooShort(path);
  const refusal = noMatch(...nearestTo(opened, strings.oldString, searched.candidatesOf(strings.oldString)));
  return searched.budget.isGone ? undefined : refusal;
}

/** The refusal of an edit that its budget did not suffice for. The place that is nearest is named all the same. */
export function beyondBudget(opened: OpenedEdit): Refusal {
  const { searched, path } = opened;
  const { oldString } = opened.strings;
  const exact = occurrences(searched.text, oldString).length;
  if (exact > 1) return tooMany(path, exact);
  return unsearched(...nearestTo(opened, oldString, searched.candidatesOf(oldString)));
}

/** The refusal of a place at which the edit and what drifted touch the same words. */
export function refusedAt(opened: OpenedEdit, { edges }: Comparison, oldString: string): Refusal {
  return noMatch(...nearestTo(opened, oldString, [edges]));
}

/** The file, its lines, and which of them are nearest to old_string. */
function nearestTo(
  { searched, path }: OpenedEdit,
  oldString: string,
  places: readonly Span[],
): Parameters<typeof noMatch> {
  const { index, budget } = searched;
  const isFaint = places.length === 0 && !budget.isGone;
  const near = nearestPlace({ index, budget }, oldString, isFaint ? faintCandidates(index, oldString) : places);
  return [path, lineCountOf(index), near && isFaint && !isAlike(near) ? undefined : near];
}

/** Whether a line is on both sides, or much of one. */
function isAlike({ equal, differences }: Nearest): boolean {
  return (
    equal > 0 ||
    differences.some(({ yours = '', file = '' }) => {
      const [one, other] = [yours.trim(), file.trim()];
      const longer = Math.max(one.length, other.length);
      return longer > 0 && longer <= MAX_COMPARED && distance(one, other) <= MAX_UNLIKE * longer;
    })
  );
}

function appliedAlready({ searched, strings }: OpenedEdit): Refusal | undefined {
  const { oldString, newString } = strings;
  const { text, budget } = searched;
  if (newString.trim().length < 4 || oldString.trim() === '') return undefined;
  const at = text.indexOf(newString);
  const isExact = at >= 0 && occurrences(text.slice(at, at + newString.length + 1), newString).length > 0;
  const [match] = isExact || budget.isGone ? [] : formMatches(searched.index, newString, searched);
  const span = isExact ? { start: at, end: at + newString.length } : match?.edges;
  return span && showsEdit(text, span, strings) ? alreadyApplied(...lineNumbers(text, span)) : undefined;
}

/** Without an empty last line. */
const lineCountOf = ({ text, lineCount, lineOffsets }: SquashIndex): number =>
  lineOffsets[lineCount - 1] === text.length ? lineCount - 1 : lineCount;
