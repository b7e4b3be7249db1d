import { applySpanEdits, invertSpanEdits, type Span, type SpanEdit } from '../workspace/span.ts';
import type { AskedEdit } from './change-request.ts';
import type { EditPlan, EditRequest, PlannedEdit } from './edit-plan.ts';
import { planHere } from './edit-planner.ts';
import { lineNumber } from './line-numbers.ts';
import type { LineRange } from './line-ranges.ts';
import { lineEdits } from './merge/line-edits.ts';
import { movedLine } from './moved-line.ts';
import type { Refusal } from './refusal.ts';
import { overlapsEarlier } from './refusal-words.ts';

/** Several edits of one text as one change, or why none of them is made. */
export type EditsPlan =
  | {
      readonly status: 'planned';
      /** Of the text before all of them: in order, not overlapping. */
      readonly edits: readonly SpanEdit[];
      /** Each edit's own plan, on the result of those before it. */
      readonly plans: readonly PlannedEdit[];
      /** 1-based lines of the text after all of them, kept as in the file where an old_string had other words. */
      readonly kept: readonly number[];
      /** Where each edit came to stand: 1-based lines of the text after all of them. */
      readonly lines: readonly LineRange[];
    }
  | (Refusal & {
      /** 0-based: which edit was refused. */
      readonly index: number;
    });

/**
 * Plans edits in order, each on the result of the one before; all or nothing. An edit that changes what an earlier one
 * wrote is refused: the two don't know of each other. `planOne` plans one on the text that it finds.
 */
export async function planEdits(
  text: string,
  requests: readonly EditRequest[],
  planOne: (text: string, request: EditRequest) => Promise<EditPlan> = planHere,
): Promise<EditsPlan> {
  const plans: PlannedEdit[] = [];
  let current = text;
  let written: readonly Span[] = [];
  let kept: readonly number[] = [];
  let lines: readonly LineRange[] = [];
  for (const [index, request] of requests.entries()) {
    const plan = await planOne(current, request);
    if (plan.status === 'refused') return { ...plan, index };
    const touched = firstTouching(plan.edits, written);
    if (touched) return { ...overlapsEarlier(lineNumber(current, touched.start)), index };
    const own = invertSpanEdits(current, plan.edits).map(({ start, end }) => ({ start, end }));
    written = [...moved(written, plan.edits), ...own].sort((a, b) => a.start - b.start || a.end - b.end);
    kept = [...kept.map((line) => movedLine(line, plan.hunks)), ...plan.kept];
    lines = [
      ...lines.map(([first, last]): LineRange => [movedLine(first, plan.hunks), movedLine(last, plan.hunks)]),
      linesOf(plan),
    ];
    current = applySpanEdits(current, plan.edits);
    plans.push(plan);
  }
  const edits = plans.length === 1 ? (plans[0]?.edits ?? []) : lineEdits(text, current);
  return { status: 'planned', edits, plans, kept: [...new Set(kept)].sort((a, b) => a - b), lines };
}

/**
 * The first edit that changes a character of a span, or puts something between two of them. Both in order, neither
 * overlapping: one walk.
 */
function firstTouching(edits: readonly SpanEdit[], spans: readonly Span[]): SpanEdit | undefined {
  let next = 0;
  return edits.find((edit) => {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= edit.start) next += 1;
    const span = spans[next];
    return span !== undefined && span.start < edit.end;
  });
}

/** Where spans lie after edits that don't touch them; both in order. */
function moved(spans: readonly Span[], edits: readonly SpanEdit[]): readonly Span[] {
  let [next, shift] = [0, 0];
  return spans.map(({ start, end }) => {
    for (let edit = edits[next]; edit && edit.end <= start; edit = edits[next]) {
      shift += edit.newText.length - (edit.end - edit.start);
      next += 1;
    }
    return { start: start + shift, end: end + shift };
  });
}

/** One edit as a file's plan keeps it. */
export function askedEdit({ oldString, newString }: EditRequest, plan: PlannedEdit): AskedEdit {
  return { oldString, newString, lines: linesOf(plan) };
}

function linesOf({ hunks }: PlannedEdit): LineRange {
  const [first, last] = [hunks[0]?.new ?? [1, 0], hunks.at(-1)?.new ?? [1, 0]];
  return [first[0], last[0] + last[1] - 1];
}
