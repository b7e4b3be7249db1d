import type { Span } from '../workspace/span.ts';
import { compare } from './match/compare.ts';
import { type CompareOptions, type Comparison, type Lexed, lex } from './match/comparison.ts';
import { elidedMatch } from './match/elided-match.ts';
import { formMatches, strictest } from './match/form-matches.ts';
import { countBreaks } from './match/gap.ts';
import { BLOCK_ANCHOR, gradeName } from './match/grade.ts';
import { inFileBreaks, occurrences } from './match/occurrences.ts';
import { decodedVariants, type Strings, strippedVariants } from './match/variants.ts';
import type { MatchedVia } from './matched-via.ts';
import type { Searched } from './searched.ts';

/** The places of an edit, all by the one strategy that decided. */
export type Located =
  | { readonly status: 'exact'; readonly spans: readonly Span[]; readonly via: MatchedVia; readonly strings: Strings }
  | {
      readonly status: 'aligned';
      readonly matches: readonly Comparison[];
      readonly via: MatchedVia;
      readonly strings: Strings;
    }
  | { readonly status: 'absent' };

const ABSENT: Located = { status: 'absent' };

/** Under this many characters, blanks aside, only an exact match counts; a CJK character counts as two. */
const MIN_LENGTH = 5;
/** How often strings are decoded or stripped in turn. */
const MAX_DEPTH = 3;

function locateExact({ text }: Searched, strings: Strings): Located {
  const { oldString } = strings;
  const exact = occurrences(text, oldString);
  if (exact.length > 0) return found('exact', exact, strings);
  const inBreaks = inFileBreaks(text, oldString);
  const spans = inBreaks === undefined ? [] : occurrences(text, inBreaks);
  return spans.length > 0 ? found('line-endings', spans, { ...strings, oldString: inBreaks ?? oldString }) : ABSENT;
}

function found(via: MatchedVia, offsets: readonly number[], strings: Strings): Located {
  const length = strings.oldString.length;
  return { status: 'exact', via, strings, spans: offsets.map((start) => ({ start, end: start + length })) };
}

/** The cascade: the strictest strategy that finds a place decides, and says all the places that it finds. */
export function locate(searched: Searched, strings: Strings, depth = 0): Located {
  const exact = locateExact(searched, strings);
  if (exact.status !== 'absent') return exact;
  if (weight(strings.oldString) < MIN_LENGTH || !searched.payForIndex()) return ABSENT;
  const form = byForm(searched, strings);
  if (form.status !== 'absent') return form;
  const decoded = depth < MAX_DEPTH ? byDecoding(searched, strings, depth) : ABSENT;
  if (decoded.status !== 'absent') return decoded;
  if (depth < MAX_DEPTH) {
    for (const stripped of strippedVariants(strings)) {
      const inner = locate(searched, stripped, depth + 1);
      if (inner.status !== 'absent' && isAtLine(searched, inner, stripped.onlyLine))
        return { ...inner, via: 'trimmed-boundary' };
    }
  }
  return byContext(searched, strings);
}

/** A number before a single line is a line's number only where the line stands there. */
function isAtLine(
  { text }: Searched,
  located: Exclude<Located, { status: 'absent' }>,
  line: number | undefined,
): boolean {
  if (line === undefined) return true;
  const starts =
    located.status === 'exact'
      ? located.spans.map(({ start }) => start)
      : located.matches.map(({ edges }) => edges.start);
  return starts.some((start) => countBreaks(text.slice(0, start)) + 1 === line);
}

function byForm(searched: Searched, strings: Strings): Located {
  const matches = strictest(formMatches(searched.index, strings.oldString, searched));
  if (searched.budget.isGone) return ABSENT;
  const [first] = matches;
  if (!first) return ABSENT;
  if (first.grade >= BLOCK_ANCHOR && strings.newString === '') return ABSENT;
  return { status: 'aligned', matches, via: gradeName(first.grade), strings };
}

/** Decoded strings are matched by form only: what is then still unlike is not what was encoded. */
function byDecoding(searched: Searched, strings: Strings, depth: number): Located {
  for (const decoded of decodedVariants(strings)) {
    const exact = locateExact(searched, decoded);
    if (exact.status !== 'absent') return { ...exact, via: 'escape-normalized' };
    if (weight(decoded.oldString) < MIN_LENGTH) continue;
    const form = byForm(searched, decoded);
    if (form.status !== 'absent') return { ...form, via: 'escape-normalized' };
    const again = depth + 1 < MAX_DEPTH ? byDecoding(searched, decoded, depth + 1) : ABSENT;
    if (again.status !== 'absent') return again;
  }
  return ABSENT;
}

/** Kept lines that differ in more than form: comments, misspellings, a middle left out. */
function byContext(searched: Searched, strings: Strings): Located {
  const { budget, index, syntax, text } = searched;
  if (strings.newString === '' || budget.isGone) return ABSENT;
  const elided = elidedMatch(index, strings, searched);
  if (elided) return { status: 'aligned', matches: [elided], via: gradeName(elided.grade), strings };
  if (!budget.spend(strings.oldString.length)) return ABSENT;
  const old = lex(strings.oldString, syntax);
  if (old.tokens.length < 3) return ABSENT;
  const options: CompareOptions = { syntax, forgive: 'context', budget };
  const matches: Comparison[] = [];
  for (const place of searched.candidatesOf(strings.oldString)) {
    const match = compare(old, text, place, options);
    if (match && searched.merge(match, strings.newString)?.status === 'merged') matches.push(match);
  }
  const places = fullest(matches);
  const [first] = places;
  // What could not be looked at any more might be meant as well.
  if (!first || hasRival(searched, old, places) || budget.isGone) return ABSENT;
  return { status: 'aligned', matches: places, via: gradeName(first.grade), strings };
}

/** Whether another place would fit as well if any slip of the pen were forgiven. */
function hasRival(searched: Searched, old: Lexed, places: readonly Comparison[]): boolean {
  const { budget, text, syntax } = searched;
  return searched.candidatesOf(old.text).some((candidate) => {
    const rival = compare(old, text, candidate, { syntax, forgive: 'context', misspelt: 'loosely', budget });
    return rival !== undefined && !places.some((place) => isOverlap(place, rival));
  });
}

const isOverlap = (a: Comparison, b: Comparison): boolean => a.edges.start < b.edges.end && b.edges.start < a.edges.end;

/** Of matches that overlap one another, the one with the most tokens paired. */
function fullest(matches: readonly Comparison[]): readonly Comparison[] {
  const kept: Comparison[] = [];
  const count = ({ pairs }: Comparison): number => pairs.reduce((sum, pair) => sum + (pair >= 0 ? 1 : 0), 0);
  for (const match of [...matches].sort((a, b) => count(b) - count(a))) {
    if (!kept.some((other) => isOverlap(other, match))) kept.push(match);
  }
  return kept;
}

/** How many characters a text has, blanks aside; a CJK character counts as two. */
function weight(text: string): number {
  let sum = 0;
  for (const character of text) {
    if (/\s/.test(character)) continue;
    sum += /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]/u.test(character) ? 2 : 1;
    if (sum >= 2 * MIN_LENGTH) break;
  }
  return sum;
}

/**
 * Whether an old_string is too short for anything but exact: under 5 non-blank characters, a CJK one counting as two.
 */
export const isTooShort = (oldString: string): boolean => weight(oldString) < MIN_LENGTH;
