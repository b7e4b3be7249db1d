import type { Span } from '../workspace/span.ts';
import type { Located } from './cascade.ts';
import type { PlannedEdit } from './edit-plan.ts';
import { placesDetail } from './inside-words.ts';
import { lineNumbers, placeOf } from './line-numbers.ts';
import { MAX_CANDIDATES } from './match/candidates.ts';
import type { Comparison } from './match/comparison.ts';
import { MAX_OCCURRENCES } from './match/occurrences.ts';
import type { Token } from './match/tokens.ts';
import type { Strings } from './match/variants.ts';
import { withoutNewPairs } from './merge/form.ts';
import { literal, wholeLines } from './merge/literal.ts';
import { refusedAt } from './missed-edit.ts';
import type { OpenedEdit } from './opened-edit.ts';
import type { Refusal } from './refusal.ts';
import { ambiguous, MAX_PLACES, tooMany, tooWide } from './refusal-words.ts';
import type { Searched } from './searched.ts';

/** The new text of each place, and how it was found. */
export interface EditChanges extends Pick<PlannedEdit, 'matchedVia' | 'detail'> {
  readonly status: 'found';
  /** In order, not overlapping; offsets behind the byte order mark. */
  readonly places: readonly PlaceChange[];
}

interface PlaceChange extends Span {
  readonly newText: string;
  /** Offsets in `newText` of kept words that differ from old_string's. */
  readonly kept: readonly number[];
}

type Found = Exclude<Located, { status: 'absent' }>;

/** What writing one place of several costs beside its characters, in steps. */
const STEPS_A_PLACE = 16;

/** What the places become that were found; `undefined` where the budget does not suffice to say. */
export function changesOf(opened: OpenedEdit, located: Found): EditChanges | Refusal | undefined {
  const { searched, path, replaceAll } = opened;
  const spans = located.status === 'exact' ? located.spans : located.matches.map(({ edges }) => edges);
  if (spans.length > 1 && !replaceAll) {
    const shown = [...spans].sort((a, b) => a.start - b.start).slice(0, MAX_PLACES);
    return ambiguous(
      path,
      shown.map((span) => placeOf(searched.text, span)),
      { count: spans.length, isAtLeast: located.status === 'exact' && mayBeMore(searched, located) },
    );
  }
  if (spans.length > 1 && mayBeMore(searched, located)) return tooMany(path, spans.length);
  const { oldString, newString } = located.strings;
  const size = STEPS_A_PLACE + (oldString.length + newString.length) / 16;
  if (spans.length > 1 && !searched.budget.spend(Math.ceil(spans.length * size))) return undefined;
  const matchedVia = spans.length > 1 ? 'multi-occurrence' : located.via;
  if (located.status === 'exact') {
    const places = apart(spans).map((span) => ({ ...literal(searched.text, span, newString), kept: [] }));
    const detail = places.length > 1 ? { detail: placesDetail(searched.text, places) } : {};
    return { status: 'found', matchedVia, places: settled(searched.text, places), ...detail };
  }
  return alignedChanges(opened, located, matchedVia);
}

/** Whether there may be places that were not looked for: with replace_all a part of them is not all. */
function mayBeMore(searched: Searched, located: Found): boolean {
  if (located.status === 'exact') return located.spans.length >= MAX_OCCURRENCES;
  const isByCandidates = located.via === 'block-anchor' || located.via === 'context-aware';
  return isByCandidates && searched.candidatesOf(located.strings.oldString).length >= MAX_CANDIDATES;
}

function alignedChanges(
  opened: OpenedEdit,
  { matches, strings }: Extract<Found, { status: 'aligned' }>,
  matchedVia: PlannedEdit['matchedVia'],
): EditChanges | Refusal | undefined {
  const { searched, path } = opened;
  const places: PlaceChange[] = [];
  let detail: string | undefined;
  for (const { match } of apart(matches.map((each) => ({ ...each.edges, match: each })))) {
    const change = changeOf(searched, match, strings.newString);
    if (change === undefined) return undefined;
    if (change === 'conflict') return refusedAt(opened, match, strings.oldString);
    if (isTooWide(match, change, strings)) return tooWide(path, ...lineNumbers(searched.text, change));
    places.push(change);
    detail = change.detail;
  }
  return {
    status: 'found',
    matchedVia,
    places: settled(searched.text, places),
    ...(places.length > 1 ? { detail: placesDetail(searched.text, places) } : detail === undefined ? {} : { detail }),
  };
}

/** Without those that overlap an earlier one. */
function apart<T extends Span>(spans: readonly T[]): readonly T[] {
  let end = -1;
  return [...spans]
    .sort((a, b) => a.start - b.start)
    .filter((span) => {
      if (span.start < end) return false;
      end = span.end;
      return true;
    });
}

/**
 * Deleted lines that meet, each with its line end: what two of them would take goes with the first. And no `\n` comes to
 * stand behind a lone `\r`, where the two would be one line end.
 */
function settled(text: string, places: readonly PlaceChange[]): readonly PlaceChange[] {
  let from = 0;
  return places.map((place) => {
    const start = Math.max(from, place.start);
    from = Math.max(start, place.end);
    return { ...place, ...withoutNewPairs(text, { start, end: from, newText: place.newText }) };
  });
}

function changeOf(
  searched: Searched,
  match: Comparison,
  newString: string,
): (PlaceChange & { readonly detail: string | undefined }) | 'conflict' | undefined {
  const { start, end, startsLine, endsLine } = match.edges;
  const isDeletion = newString === '' || (newString.trim() === '' && match.old.text.trimEnd() !== match.old.text);
  if (isDeletion && startsLine && endsLine) {
    const paired = new Set(match.pairs);
    if (match.file.some((_, index) => !paired.has(index))) return 'conflict';
    return { ...wholeLines(searched.text, { start, end }), newText: newString, kept: [], detail: undefined };
  }
  const merged = searched.merge(match, newString);
  if (merged?.status !== 'merged') return merged?.status;
  return { start, end, newText: merged.text, kept: merged.kept, detail: merged.detail };
}

/** So many lines and characters of comments and layout may come on top of what code may. */
export const MORE_LINES = 40;
const MORE_CHARACTERS = 1_500;

/**
 * An assertion: spans come from alignments. Code that old_string lacks may be as much as the rule says, which by its
 * pairing it never is; comments and breaks, which it may lack, are not counted among its lines.
 */
function isTooWide({ text, old, file }: Comparison, span: Span, { oldString }: Strings): boolean {
  if (/\.\.\.|…/.test(oldString)) return false;
  const code = (tokens: readonly Token[]): number => tokens.filter(({ isComment }) => !isComment).length;
  if (code(file) >= Math.max(code(old.tokens) + 3, 2 * code(old.tokens)) + allMarks(file)) return true;
  const part = text.slice(span.start, span.end);
  const [lines, most] = [part.split('\n').length, oldString.split('\n').length];
  return (
    lines >= Math.max(most + 3, 2 * most) + MORE_LINES ||
    part.length > Math.max(oldString.length + 500, 4 * oldString.length) + MORE_CHARACTERS
  );
}

/** Marks that lines may end with or not, and escapes. */
const allMarks = (tokens: readonly Token[]): number =>
  tokens.filter(({ key, kind }) => kind === 'escape' || /^[,;\\]$/.test(key)).length;
