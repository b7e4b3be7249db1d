import { applySpanEdits, type SpanEdit } from '../../workspace/span.ts';
import { MORE_LINES } from '../edit-changes.ts';
import type { PlannedEdit } from '../edit-plan.ts';
import type { PlanEdit } from '../edit-planner.ts';
import type { Budget } from '../match/budget.ts';
import type { Refusal } from '../refusal.ts';
import { ambiguous } from '../refusal-words.ts';
import { hasAddedLines } from './has-added-lines.ts';
import { type Scope, type Scopes, scopesOf } from './hunk-scope.ts';
import { hunkStrings } from './hunk-strings.ts';
import { literalEdits } from './literal-edits.ts';
import { newLines, oldLines, type PatchHunk } from './patch.ts';
import { absentHeader, bareInsertion, otherLines } from './patch-words.ts';
import type { TextLines } from './text-lines.ts';

/** A hunk that found its place. */
export interface PlacedHunk {
  readonly status: 'placed';
  readonly edits: readonly SpanEdit[];
  /** The line after the last that it changes, 0-based: the next hunk changes none before it. */
  readonly endLine: number;
  /** How many lines further down than its diff says it stands. */
  readonly shift: number;
  /** How many lines the text grows by. */
  readonly lineGrowth: number;
  /** What forgave its drift, planned on the lines from `firstLine` (0-based) on; absent where its lines stand as they are. */
  readonly plan?: PlannedEdit;
  readonly firstLine: number;
}

type HunkPlace =
  | PlacedHunk
  | Refusal
  /** It fits, but above a hunk that comes before it in the patch. `line` is 1-based. */
  | { readonly status: 'too early'; readonly line: number }
  /** It fits, but not where its `@@` line is. Lines are 1-based. */
  | { readonly status: 'elsewhere'; readonly line: number; readonly header: string; readonly headerLine: number };

interface Bounds {
  readonly shown: string;
  /** The first line that may change, 0-based. */
  readonly from: number;
  /** What earlier hunks were off by. */
  readonly shift: number;
  /** What forgiving drift may cost, for all hunks of a file together. */
  readonly budget: Budget;
  readonly planEdit: PlanEdit;
}

/**
 * Where a hunk is meant. Lines that stand as they are decide, if there is one such place, or one that its `@@` lines or
 * line number point at; where there is none, the edit engine forgives what it forgives in any edit.
 */
export async function placeHunk(text: TextLines, hunk: PatchHunk, bounds: Bounds): Promise<HunkPlace> {
  const scopes = scopesOf(text, hunk.headers);
  if (scopes.status === 'absent') return absentHeader(bounds.shown, scopes.header);
  const pared = withoutBareEnd(hunk);
  if (oldLines(hunk).length === 0) return placeInsertion(text, hunk, { ...bounds, scopes });
  for (const form of pared === hunk ? [hunk] : [hunk, pared]) {
    const fits = text.find(oldLines(form));
    if (fits.length > 0) return amongExact(text, form, { ...bounds, scopes, fits });
  }
  return byEngine(text, pared, { ...bounds, scopes });
}

type Scoped = Bounds & { readonly scopes: Extract<Scopes, { status: 'found' }> };

/** Lines that come, with none around them: at the end, below their `@@` line, or into an empty file. */
function placeInsertion(text: TextLines, hunk: PatchHunk, { shown, from, scopes }: Scoped): HunkPlace {
  const count = text.lines.length;
  const isAtEnd = hunk.isAtEnd || (hunk.headers.length === 0 && hunk.expectedLine === undefined) || count === 0;
  const [block, other] = scopes.blocks;
  if (!isAtEnd && hunk.headers.length === 0) return bareInsertion(shown, hunk.expectedLine ?? 0, count);
  if (!isAtEnd && (!block || other)) {
    return ambiguous(
      shown,
      scopes.blocks.map(({ start }) => ({ line: start + 1, symbol: undefined })),
    );
  }
  const line = isAtEnd ? count : (block?.start ?? 0) + 1;
  return line < from ? { status: 'too early', line: line + 1 } : literally(text, hunk, line);
}

function amongExact(text: TextLines, hunk: PatchHunk, where: Scoped & { readonly fits: readonly number[] }): HunkPlace {
  const { fits, from, scopes, shift, shown } = where;
  const lead = hunk.lines.findIndex(({ sign }) => sign !== ' ');
  const length = oldLines(hunk).length;
  const late = fits.filter((line) => line + lead >= from);
  const [first] = fits;
  if (late.length === 0) return { status: 'too early', line: (first ?? 0) + 1 };
  const atEnd = hunk.isAtEnd ? late.filter((line) => line + length === text.lines.length) : [];
  const left = atEnd.length > 0 ? atEnd : late;
  const expected = hunk.expectedLine;
  if (expected !== undefined) {
    const told = [expected - 1 + shift, expected - 1].find((line) => left.includes(line));
    if (told !== undefined) return literally(text, hunk, told);
  }
  const candidates = hunk.headers.length === 0 ? left : within(left, { scopes, lead });
  const [only, second] = candidates;
  if (only === undefined) return elsewhere(hunk, left[0] ?? 0, scopes.after.start);
  if (second === undefined) return literally(text, hunk, only);
  return ambiguous(
    shown,
    candidates.map((line) => ({ line: line + 1, symbol: undefined })),
  );
}

/** Those that the headers enclose, else those below the headers. */
function within(
  lines: readonly number[],
  { scopes, lead }: { readonly scopes: Scoped['scopes']; readonly lead: number },
): readonly number[] {
  const isIn = (line: number, { start, end }: Scope): boolean => line >= start && line + lead <= end;
  const inside = lines.filter((line) => scopes.blocks.some((block) => isIn(line, block)));
  return inside.length > 0 ? inside : lines.filter((line) => isIn(line, scopes.after));
}

function elsewhere(hunk: PatchHunk, line: number, headerLine: number): HunkPlace {
  return { status: 'elsewhere', line: line + 1, header: hunk.headers.at(-1) ?? '', headerLine: headerLine + 1 };
}

function literally(text: TextLines, hunk: PatchHunk, at: number): PlacedHunk {
  const signs = hunk.lines.map(({ sign }) => sign);
  const lastChange = Math.max(signs.lastIndexOf('-'), signs.lastIndexOf('+'));
  const changed = signs.slice(0, lastChange + 1).filter((sign) => sign !== '+').length;
  return {
    status: 'placed',
    edits: literalEdits(text, hunk, at),
    endLine: at + changed,
    shift: hunk.expectedLine === undefined ? 0 : at + 1 - hunk.expectedLine,
    lineGrowth: newLines(hunk).length - oldLines(hunk).length,
    firstLine: 0,
  };
}

async function byEngine(text: TextLines, hunk: PatchHunk, where: Scoped): Promise<HunkPlace> {
  const whole = { start: 0, end: text.lines.length };
  const first = await planIn(text, hunk, { ...where, scope: whole });
  if (first.status === 'placed' && isAllowed(first, hunk, where)) return first;
  // A part of the text knows fewer words than the whole: it may choose among places, not find new ones.
  if (first.status === 'refused' && first.code !== 'ambiguous') return first;
  for (const scope of closerScopes(text, hunk, where)) {
    const closer = await planIn(text, hunk, { ...where, scope });
    if (closer.status === 'placed' && isAllowed(closer, hunk, where)) return closer;
  }
  if (first.status !== 'placed') return first;
  const line = changedLine(text, first);
  return line < where.from ? { status: 'too early', line: line + 1 } : elsewhere(hunk, line, where.scopes.after.start);

  function isAllowed(place: PlacedHunk, { headers }: PatchHunk, { from, scopes }: Scoped): boolean {
    const line = changedLine(text, place);
    return line >= from && (headers.length === 0 || line >= scopes.after.start);
  }
}

function changedLine(text: TextLines, place: PlacedHunk): number {
  return text.lineAt(place.edits[0]?.start ?? 0);
}

/** Where to look when the whole text has several places that fit: what headers enclose, then where the diff points. */
function closerScopes(text: TextLines, hunk: PatchHunk, { from, shift, scopes }: Scoped): readonly Scope[] {
  if (hunk.headers.length > 0) return scopes.blocks.length === 1 ? [...scopes.blocks, scopes.after] : [];
  const count = oldLines(hunk).length;
  const told = hunk.expectedLine === undefined ? [] : [hunk.expectedLine - 1 + shift, hunk.expectedLine - 1];
  const end = text.lines.length;
  return [
    ...told.map((line) => ({ start: Math.max(0, line - 2), end: Math.min(end, line + count + 2) })),
    { start: from, end },
  ].filter((scope) => scope.start < scope.end);
}

async function planIn(
  text: TextLines,
  hunk: PatchHunk,
  { scope, shown, budget, planEdit }: Pick<Bounds, 'shown' | 'budget' | 'planEdit'> & { readonly scope: Scope },
): Promise<PlacedHunk | Refusal> {
  const base = text.offsetOf(scope.start);
  const part = text.text.slice(base, text.offsetOf(scope.end));
  const plan = await planEdit(part, { ...hunkStrings(hunk), replaceAll: false, path: shown }, budget);
  if (plan.status === 'refused') return plan;
  const edits = plan.edits.map(({ start, end, newText }) => ({ start: start + base, end: end + base, newText }));
  if (!hasAddedLines(afterAround(text, edits, hunk), hunk, plan.matchedVia)) return otherLines(shown);
  const last = edits.at(-1);
  const growth = plan.hunks.reduce((sum, { old, new: now }) => sum + now[1] - old[1], 0);
  const endLine = last
    ? text.lineAt(last.end > last.start ? last.end - 1 : last.end) + (last.end > last.start ? 1 : 0)
    : 0;
  const changeAt = (plan.hunks[0]?.old[0] ?? 1) - 1 + scope.start;
  const lead = hunk.lines.findIndex(({ sign }) => sign !== ' ');
  const shift = hunk.expectedLine === undefined ? 0 : changeAt - lead + 1 - hunk.expectedLine;
  return { status: 'placed', edits, endLine, shift, lineGrowth: growth, plan, firstLine: scope.start };
}

/** What comes to stand at a hunk's place, with as many lines around its edits as that may have. */
function afterAround(text: TextLines, edits: readonly SpanEdit[], { lines }: PatchHunk): string {
  const [first, last] = [edits[0], edits.at(-1)];
  if (!first || !last) return text.text;
  const reach = 2 * lines.length + MORE_LINES + 3;
  const start = text.offsetOf(Math.max(0, text.lineAt(first.start) - reach));
  const end = text.offsetOf(Math.min(text.lines.length, text.lineAt(last.end) + 1 + reach));
  const local = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applySpanEdits(text.text.slice(start, end), local);
}

/** Empty lines at its end that had no sign may only part it from what follows. */
function withoutBareEnd(hunk: PatchHunk): PatchHunk {
  const last = hunk.lines.findLastIndex(({ isBare }) => !isBare);
  return last === hunk.lines.length - 1 ? hunk : { ...hunk, lines: hunk.lines.slice(0, last + 1) };
}
