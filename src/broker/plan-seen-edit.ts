import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import type { FileBefore, FoundFile } from './change-request.ts';
import type { EditPlan, EditRequest, PlannedEdit } from './edit-plan.ts';
import type { LandedFile } from './landed-file.ts';
import { isElsewhere } from './ledger.ts';
import { splitLines } from './line-hunks.ts';
import type { LineRange } from './line-ranges.ts';
import { planEdit } from './plan-edit.ts';
import type { Refusal } from './refusal.ts';
import { elsewhere, madeBefore } from './seen-words.ts';
import type { Session } from './session.ts';
import { ledgerOf, seenContent } from './session-ledger.ts';

/** A file with a text, and an edit that a session wants of it. */
export interface SeenEdit {
  readonly file: FileBefore & { readonly found: FoundFile };
  readonly snapshot: DocumentSnapshot;
  readonly request: EditRequest;
}

/**
 * `planEdit`, with what the session knows: an insertion that it made already is not made twice, and an exact place that
 * it never saw is not taken where lines that it did see fit nearly as well.
 */
export function planSeenEdit(session: Session, edit: SeenEdit): EditPlan {
  const { file, snapshot, request } = edit;
  const again = request.newString.includes(request.oldString) ? madeAlready(session, edit) : undefined;
  if (again) return again;
  const plan = planEdit(snapshot.text, request);
  if (plan.status === 'refused' || plan.matchedVia !== 'exact' || plan.places !== 1) return plan;
  const known = ledgerOf(session).knownLines(file.path, seenContent(file.found.bytes, snapshot));
  const [line, count] = plan.hunks[0]?.old ?? [1, 0];
  if (!isElsewhere(known, [line, line + Math.max(count, 1) - 1])) return plan;
  return rival(edit, known, line) ?? plan;
}

/** Keeps an edit that landed, to know it when it comes again. */
export function rememberEdit(
  session: Session,
  file: LandedFile,
  edit: EditRequest & { readonly receipt: string },
): void {
  const [first, last] = [file.hunks[0], file.hunks.at(-1)];
  if (!first || !last || !file.after) return;
  const lines = splitLines(file.after.text);
  const left = lines.slice(Math.max(0, first.new[0] - 2), last.new[0] + last.new[1]).join('');
  const { oldString, newString, receipt } = edit;
  ledgerOf(session).remember(file.planned.file.path, { oldString, newString, receipt, left });
}

function madeAlready(session: Session, { file, snapshot, request }: SeenEdit): Refusal | undefined {
  const made = ledgerOf(session).findMade(file.path, request, snapshot.text);
  if (!made) return undefined;
  const first = splitLines(snapshot.text.slice(0, snapshot.text.indexOf(made.left))).length + 1;
  return madeBefore(made.receipt, [first, first + splitLines(made.left).length - 1]);
}

/** A place among the known lines that fits under a laxer rule. */
function rival({ file, snapshot, request }: SeenEdit, known: readonly LineRange[], exact: number): Refusal | undefined {
  const lines = splitLines(snapshot.text);
  for (const [first, last] of known) {
    const plan = planEdit(lines.slice(first - 1, last).join(''), request);
    if (plan.status !== 'planned') continue;
    const line = first - 1 + lineOf(plan);
    // An insertion at the edge of what was read is the same place from both sides.
    if (line !== exact) return elsewhere(file.shown, exact, { line, via: plan.matchedVia });
  }
  return undefined;
}

function lineOf(plan: PlannedEdit): number {
  return plan.hunks[0]?.old[0] ?? 1;
}
