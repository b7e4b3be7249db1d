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
    const touched = plan.edits.find((edit) => written.some((span) => touches(edit, span)));
    if (touched) return { ...overlapsEarlier(lineNumber(current, touched.start)), index };
    const own = invertSpanEdits(current, plan.edits).map(({ start, end }) => ({ start, end }));
    written = [...written.map((span) => moved(span, plan.edits)), ...own];
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

/** Whether an edit changes a character of a span, or puts something between two of them. */
function touches(edit: SpanEdit, span: Span): boolean {
  if (edit.start === edit.end) return span.start < edit.start && edit.start < span.end;
  return span.start === span.end
    ? edit.start < span.start && span.start < edit.end
    : edit.start < span.end && span.start < edit.end;
}

/** Where a span lies after edits that don't touch it. */
function moved(span: Span, edits: readonly SpanEdit[]): Span {
  let shift = 0;
  for (const edit of edits) if (edit.end <= span.start) shift += edit.newText.length - (edit.end - edit.start);
  return { start: span.start + shift, end: span.end + shift };
}

/** One edit as a file's plan keeps it. */
export function askedEdit({ oldString, newString }: EditRequest, plan: PlannedEdit): AskedEdit {
  return { oldString, newString, lines: linesOf(plan) };
}

function linesOf({ hunks }: PlannedEdit): LineRange {
  const [first, last] = [hunks[0]?.new ?? [1, 0], hunks.at(-1)?.new ?? [1, 0]];
  return [first[0], last[0] + last[1] - 1];
}
