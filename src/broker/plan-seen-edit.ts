import type { EditPlan, EditRequest } from './edit-plan.ts';
import type { PlanEdit } from './edit-planner.ts';
import { isElsewhere, type MadeEdit, type SeenContent } from './ledger.ts';
import { splitLines } from './line-hunks.ts';
import type { LineRange } from './line-ranges.ts';
import type { Refusal } from './refusal.ts';
import { elsewhere, madeBefore } from './seen-words.ts';
import type { Session } from './session.ts';
import { ledgerOf } from './session-ledger.ts';

/** A text that a session wants to change, and what it knows of it. */
export interface SeenText {
  readonly shown: string;
  readonly text: string;
  /** The lines that the session was shown or wrote, 1-based. */
  known(): readonly LineRange[];
  /** An earlier edit of the session with the same strings whose lines still stand. */
  findMade(request: Pick<EditRequest, 'oldString' | 'newString'>): MadeEdit | undefined;
}

/** What a session knows of a file's content, which may be one that earlier edits of the same call left. */
export function seenText(
  session: Session,
  file: { readonly path: string; readonly shown: string },
  content: SeenContent,
): SeenText {
  const ledger = ledgerOf(session);
  return {
    shown: file.shown,
    text: content.text,
    known: () => ledger.knownLines(file.path, content),
    findMade: (request) => ledger.findMade(file.path, request, content.text),
  };
}

/**
 * `planEdit`, with what the session knows: an insertion that it made already is not made twice, and an exact place that
 * it never saw is not taken where lines that it did see fit nearly as well.
 */
export async function planSeenEdit(seen: SeenText, request: EditRequest, planEdit: PlanEdit): Promise<EditPlan> {
  const again = madeAlready(seen, request);
  if (again) return again;
  const plan = await planEdit(seen.text, request);
  if (plan.status === 'refused' || plan.matchedVia !== 'exact' || plan.places !== 1) return plan;
  const [line, count] = plan.hunks[0]?.old ?? [1, 0];
  const exact: LineRange = [line, line + Math.max(count, 1) - 1];
  return (await betterKnown(seen, { request, exact }, planEdit)) ?? plan;
}

/** Refuses an insertion that the session made already and whose lines stand as it left them. */
export function madeAlready(seen: SeenText, request: EditRequest): Refusal | undefined {
  // What does not fit again after itself is told by its own refusal.
  const made = request.newString.includes(request.oldString) ? seen.findMade(request) : undefined;
  if (!made) return undefined;
  const first = splitLines(seen.text.slice(0, seen.text.indexOf(made.left))).length + 1;
  return madeBefore(made.receipt, [first, first + splitLines(made.left).length - 1]);
}

/** A patch asks for them with each of its hunks. */
const splitTexts = new WeakMap<SeenText, readonly string[]>();

function linesOf(seen: SeenText): readonly string[] {
  const lines = splitTexts.get(seen) ?? splitLines(seen.text);
  splitTexts.set(seen, lines);
  return lines;
}

/** Refuses an exact place that the session never saw where one among the lines that it did fits under a laxer rule. */
export async function betterKnown(
  seen: SeenText,
  { request, exact }: { readonly request: EditRequest; readonly exact: LineRange },
  planEdit: PlanEdit,
): Promise<Refusal | undefined> {
  const known = seen.known();
  if (!isElsewhere(known, exact)) return undefined;
  const lines = linesOf(seen);
  for (const [first, last] of known) {
    const plan = await planEdit(lines.slice(first - 1, last).join(''), request);
    if (plan.status !== 'planned') continue;
    const line = first - 1 + (plan.hunks[0]?.old[0] ?? 1);
    // An insertion at the edge of what was read is the same place from both sides.
    if (line !== exact[0]) return elsewhere(seen.shown, exact[0], { line, via: plan.matchedVia });
  }
  return undefined;
}
