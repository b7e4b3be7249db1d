import { TextDocument } from 'vscode-languageserver-textdocument';
import { applySpanEdits, type Span, type SpanEdit } from '../workspace/span.ts';
import { isTooShort, type Located, locate, Searched } from './cascade.ts';
import type { EditHunk, EditPlan, EditRequest, PlannedEdit } from './edit-plan.ts';
import { lineHunks } from './line-hunks.ts';
import type { Budget } from './match/budget.ts';
import { type Comparison, lex } from './match/comparison.ts';
import { addedElision } from './match/elision.ts';
import { literal, occurrences, wholeLines } from './match/exact.ts';
import { countBreaks, lineStart } from './match/gap.ts';
import { formMatches } from './match/locate.ts';
import { nearestPlace } from './match/nearest.ts';
import { enclosingSymbol } from './match/outline.ts';
import type { SquashIndex } from './match/squash-index.ts';
import { syntaxOf } from './match/syntax.ts';
import type { Strings } from './match/variants.ts';
import { lineEdits } from './merge/line-edits.ts';
import { merge } from './merge/merge.ts';
import type { Refusal } from './refusal.ts';
import {
  alreadyApplied,
  ambiguous,
  elision,
  emptyOld,
  identical,
  noMatch,
  tooShort,
  tooWide,
  unsearched,
} from './refusal-words.ts';

export type { EditHunk, EditPlan, EditRequest, PlannedEdit } from './edit-plan.ts';

/**
 * Plans one edit in a text: where old_string is meant, and what stands there after. Pure. The edits leave every byte
 * outside the hunks as it is; a refusal says what would help. `text` may begin with a byte order mark, which stays.
 */
export function planEdit(text: string, request: EditRequest, budget?: Budget): EditPlan {
  const mark = text.startsWith('\ufeff') ? 1 : 0;
  const body = text.slice(mark);
  const strings = { oldString: withoutMark(request.oldString), newString: withoutMark(request.newString) };
  const refusal = guard(body, strings, request.path);
  if (refusal) return refusal;
  // Only an empty text has one place for an empty old_string.
  if (strings.oldString === '') {
    return planned(text, mark, {
      matchedVia: 'exact',
      places: [{ start: 0, end: 0, newText: strings.newString, kept: [] }],
    });
  }
  const searched = new Searched(body, syntaxOf(request.path), budget);
  const located = locate(searched, strings);
  const changes =
    located.status === 'absent' ? absent(searched, strings, request.path) : changesOf(searched, located, request);
  return 'status' in changes ? changes : planned(text, mark, changes);
}

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

function guard(body: string, { oldString, newString }: Strings, path: string | undefined): Refusal | undefined {
  if (oldString === newString) return identical();
  if (oldString === '' && body !== '') return emptyOld(path);
  const mark = addedElision(newString, oldString, body);
  return mark === undefined ? undefined : elision(mark);
}

/** The new text of each place, and how it was found. */
interface Changes extends Pick<PlannedEdit, 'matchedVia' | 'detail'> {
  readonly places: readonly Change[];
}

interface Change extends Span {
  readonly newText: string;
  /** Offsets in `newText` of kept words that differ from old_string's. */
  readonly kept: readonly number[];
}

function changesOf(
  searched: Searched,
  located: Exclude<Located, { status: 'absent' }>,
  request: EditRequest,
): Changes | Refusal {
  const { text } = searched;
  const spans = located.status === 'exact' ? located.spans : located.matches.map(({ edges }) => edges);
  if (spans.length > 1 && !request.replaceAll) {
    return ambiguous(
      request.path,
      [...spans].sort((a, b) => a.start - b.start).map((span) => placeOf(text, span)),
    );
  }
  const matchedVia = spans.length > 1 ? 'multi-occurrence' : located.via;
  if (located.status === 'exact') {
    const places = apart(located.spans).map((span) => ({
      ...literal(text, span, located.strings.newString),
      kept: [],
    }));
    return { matchedVia, places };
  }
  const places: Change[] = [];
  let detail: string | undefined;
  for (const match of apart(located.matches.map((each) => ({ ...each, ...each.edges })))) {
    const change = changeOf(searched, match, located.strings.newString);
    if (!change) return refusedAt(searched, match, located.strings, request.path);
    if (isTooWide(text, change, located.strings)) return tooWide(request.path, ...lineRange(text, change));
    places.push(change);
    detail = change.detail;
  }
  return { matchedVia, places, ...(detail === undefined ? {} : { detail }) };
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

function changeOf(
  { text, syntax }: Searched,
  match: Comparison,
  newString: string,
): (Change & { readonly detail: string | undefined }) | undefined {
  const { start, end, startsLine, endsLine } = match.edges;
  if (
    newString.trim() === '' &&
    startsLine &&
    endsLine &&
    (newString === '' || match.old.text.trimEnd() !== match.old.text)
  ) {
    const paired = new Set(match.pairs);
    if (match.file.some((_, index) => !paired.has(index))) return undefined;
    return {
      ...wholeLines(text, { start, end }),
      newText: newString === '' ? '' : newString,
      kept: [],
      detail: undefined,
    };
  }
  const merged = merge(match, lex(newString, syntax));
  return merged.status === 'conflict'
    ? undefined
    : { start, end, newText: merged.text, kept: merged.kept, detail: merged.detail };
}

/** An assertion: spans come from alignments. */
function isTooWide(text: string, span: Span, { oldString }: Strings): boolean {
  if (/\.\.\.|…/.test(oldString)) return false;
  const lines = (part: string): number => part.split('\n').length;
  const part = text.slice(span.start, span.end);
  const [old, file] = [lines(oldString), lines(part)];
  return (
    file >= Math.max(old + 3, 2 * old) + 40 || part.length > Math.max(oldString.length + 2_000, 4 * oldString.length)
  );
}

function absent(searched: Searched, strings: Strings, path: string | undefined): Refusal {
  const { text, index, budget } = searched;
  const { oldString, newString } = strings;
  if (newString.trim().length >= 4 && oldString.trim() !== '') {
    const [at] = occurrences(text, newString);
    const span =
      at === undefined ? formMatches(index, newString, searched)[0]?.edges : { start: at, end: at + newString.length };
    if (span) return alreadyApplied(...lineRange(text, span));
  }
  if (isTooShort(oldString)) return tooShort(path);
  const places = searched.candidatesOf(oldString);
  const missed = noMatch(path, lineCountOf(index), nearestPlace(index, oldString, places));
  return budget.isGone ? unsearched(missed) : missed;
}

function refusedAt({ index }: Searched, match: Comparison, { oldString }: Strings, path: string | undefined): Refusal {
  return noMatch(path, lineCountOf(index), nearestPlace(index, oldString, [{ ...match.edges, votes: 1 }]));
}

/** Without an empty last line. */
const lineCountOf = ({ text, lineCount, lineOffsets }: SquashIndex): number =>
  lineOffsets[lineCount - 1] === text.length ? lineCount - 1 : lineCount;

/** The 1-based line of an offset; a lone `\r` ends a line too, as in a `TextDocument`. */
function lineOf(text: string, offset: number): number {
  if (text.includes('\r')) return countBreaks(text.slice(0, offset)) + 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function lineRange(text: string, { start, end }: Span): readonly [number, number] {
  const part = text.slice(start, end);
  const [lead, tail] = [part.length - part.trimStart().length, part.length - part.trimEnd().length];
  return [lineOf(text, start + lead), lineOf(text, Math.max(start + lead, end - tail))];
}

function placeOf(text: string, span: Span): { readonly line: number; readonly symbol: string | undefined } {
  const part = text.slice(span.start, span.end);
  const start = span.start + part.length - part.trimStart().length;
  return { line: lineOf(text, start), symbol: enclosingSymbol(text, start) };
}

function planned(text: string, mark: number, { places, matchedVia, detail }: Changes): PlannedEdit {
  const edits: SpanEdit[] = [];
  const keptOffsets: number[] = [];
  let shift = mark;
  for (const { start, end, newText, kept } of places) {
    const old = text.slice(mark + start, mark + end);
    for (const edit of lineEdits(old, newText)) {
      edits.push({ start: mark + start + edit.start, end: mark + start + edit.end, newText: edit.newText });
    }
    keptOffsets.push(...kept.map((offset) => start + shift + offset));
    shift += newText.length - (end - start);
  }
  const after = keptOffsets.length > 0 ? applySpanEdits(text, edits) : text;
  return {
    status: 'planned',
    edits,
    matchedVia,
    ...(detail === undefined ? {} : { detail }),
    places: places.length,
    kept: [...new Set(keptOffsets.map((offset) => lineOf(after, offset)))].sort((a, b) => a - b),
    hunks: hunksOf(text, edits),
  };
}

/** The hunks, from the lines about the edits alone. */
function hunksOf(text: string, edits: readonly SpanEdit[]): readonly EditHunk[] {
  const [first, last] = [edits[0], edits.at(-1)];
  if (!first || !last) return [];
  const start = lineStart(text, first.start);
  const stop = text.indexOf('\n', last.end);
  const end = stop < 0 ? text.length : stop + 1;
  const document = TextDocument.create('', '', 0, text.slice(start, end));
  const above = lineOf(text, start) - 1;
  const local = edits.map((edit) => ({ start: edit.start - start, end: edit.end - start, newText: edit.newText }));
  return lineHunks(document, local).map(({ old, new: now }) => ({
    old: [old[0] + above, old[1]],
    new: [now[0] + above, now[1]],
  }));
}
