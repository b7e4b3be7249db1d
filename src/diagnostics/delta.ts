import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { SpanEdit } from '../workspace/span.ts';
import { type MovedRange, moveRange, writtenSpans } from './moved-range.ts';
import type { FileDiagnostic } from './report.ts';

/** The edit that a diagnostic came with; `undefined`: it was there before any edit that we know of. */
export interface Origin {
  readonly session: string;
  readonly receipt: string;
}

/**
 * A diagnostic that is followed through edits; the `id` stays while it is the same finding. No two have one, of whichever
 * server: what a session was told is known by it.
 */
export interface Tracked {
  readonly id: number;
  readonly diagnostic: FileDiagnostic;
  readonly origin: Origin | undefined;
}

/** From one text to the next. */
export interface Step {
  readonly before: TextDocument;
  readonly edits: readonly SpanEdit[];
}

/** What a change made of the findings of one file. */
export interface Delta {
  /** Everything that stands now. */
  readonly tracked: readonly Tracked[];
  readonly introduced: readonly Tracked[];
  readonly fixed: readonly Tracked[];
}

/** The findings before and after, and the changes between the two. */
export interface DeltaInput {
  readonly baseline: readonly Tracked[];
  /** From the text of the baseline to the text of `now`, in order. */
  readonly steps: readonly Step[];
  readonly after: TextDocument;
  readonly now: readonly FileDiagnostic[];
  /** What new ones are put down to. */
  readonly origin: Origin | undefined;
}

let lastId = 0;

/**
 * Which diagnostics are new and which are gone, as a multiset: one of the baseline is still there when one of now has
 * its code, message and severity, and stands where the edits moved it; or, when an edit touched it, anywhere in what
 * the edits wrote. Law: with no edits and equal lists, nothing is introduced and nothing fixed.
 */
export function compareDiagnostics(input: DeltaInput): Delta {
  const moved = input.baseline.map((tracked) => ({ tracked, place: placeAfter(tracked, input) }));
  const left = new Set(input.now.map((_, index) => index));
  const offsets = input.now.map((diagnostic) => offsetsOf(diagnostic, input.after));
  const alike = new Map<string, Set<number>>();
  input.now.forEach((diagnostic, index) => {
    const finding = findingOf(diagnostic);
    alike.set(finding, (alike.get(finding) ?? new Set()).add(index));
  });
  const matched = new Map<number, Tracked>();
  const take = (old: Tracked, isSame: (place: Offsets) => boolean): boolean => {
    const candidates = alike.get(findingOf(old.diagnostic));
    for (const index of candidates ?? []) {
      const place = offsets[index];
      if (!place || !isSame(place)) continue;
      candidates?.delete(index);
      left.delete(index);
      matched.set(index, old);
      return true;
    }
    return false;
  };

  const unmatched = moved.filter(
    ({ tracked, place }) => !take(tracked, ({ start, end }) => start === place.start && end === place.end),
  );
  const written = allWritten(input.steps);
  const fixed = unmatched
    .filter(({ place }) => place.isTouched)
    .filter(({ tracked }) => !take(tracked, (at) => written.some((span) => touches(span, at))))
    .concat(unmatched.filter(({ place }) => !place.isTouched));

  const gone = new Set(fixed.map(({ tracked }) => tracked));

  const tracked = input.now.map((diagnostic, index): Tracked => {
    const old = matched.get(index);
    return old ? { ...old, diagnostic } : { id: ++lastId, diagnostic, origin: input.origin };
  });
  return {
    tracked,
    introduced: tracked.filter((_, index) => left.has(index)),
    fixed: input.baseline.filter((old) => gone.has(old)),
  };
}

interface Offsets {
  readonly start: number;
  readonly end: number;
}

function placeAfter(tracked: Tracked, { steps, after }: DeltaInput): MovedRange {
  const first = steps[0]?.before ?? after;
  let place: MovedRange = { ...offsetsOf(tracked.diagnostic, first), isTouched: false };
  for (const step of steps) place = moveRange(place, step.edits);
  return place;
}

/** What all steps wrote, where it stands after the last of them. */
function allWritten(steps: readonly Step[]): readonly Offsets[] {
  let spans: readonly MovedRange[] = [];
  for (const { edits } of steps) {
    spans = [
      ...spans.map((span) => moveRange(span, edits)),
      ...writtenSpans(edits).map((span) => ({ ...span, isTouched: false })),
    ];
  }
  return spans;
}

function touches(span: Offsets, offsets: Offsets): boolean {
  return offsets.start <= span.end && offsets.end >= span.start;
}

function offsetsOf(diagnostic: FileDiagnostic, document: TextDocument): Offsets {
  return { start: document.offsetAt(diagnostic.range.start), end: document.offsetAt(diagnostic.range.end) };
}

function findingOf({ code, severity, message }: FileDiagnostic): string {
  return JSON.stringify([code ?? null, severity, message]);
}
