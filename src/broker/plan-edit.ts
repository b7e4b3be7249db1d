import { locate } from './cascade.ts';
import { changesOf } from './edit-changes.ts';
import type { EditPlan, EditRequest } from './edit-plan.ts';
import { Budget } from './match/budget.ts';
import { addedElision } from './match/elision.ts';
import { beyondBudget, missed } from './missed-edit.ts';
import { type OpenedEdit, openEdit } from './opened-edit.ts';
import { plannedEdit } from './planned-edit.ts';
import type { Refusal } from './refusal.ts';
import { elision, emptyOld, identical } from './refusal-words.ts';

export type { EditHunk, EditPlan, EditRequest, PlannedEdit } from './edit-plan.ts';

/**
 * Plans one edit in a text: where old_string is meant, and what stands there after. Pure. The edits leave every byte
 * outside the hunks as it is; a refusal says what would help. `text` may begin with a byte order mark, which stays.
 */
export function planEdit(text: string, request: EditRequest, budget: Budget = new Budget()): EditPlan {
  const opened = openEdit(text, request, budget);
  return planOf(opened) ?? beyondBudget(opened);
}

/** The same where the budget suffices; `undefined` where it does not, and then without a search for what to say. */
export function tryPlanEdit(text: string, request: EditRequest, budget: Budget): EditPlan | undefined {
  return planOf(openEdit(text, request, budget));
}

function planOf(opened: OpenedEdit): EditPlan | undefined {
  const refusal = guard(opened);
  if (refusal) return refusal;
  const { oldString, newString } = opened.strings;
  // Only an empty text has one place for an empty old_string.
  if (oldString === '') {
    return plannedEdit(opened, { matchedVia: 'exact', places: [{ start: 0, end: 0, newText: newString, kept: [] }] });
  }
  const located = locate(opened.searched, opened.strings);
  const changes = located.status === 'absent' ? missed(opened) : changesOf(opened, located);
  return changes?.status === 'found' ? plannedEdit(opened, changes) : changes;
}

function guard({ searched, strings, path }: OpenedEdit): Refusal | undefined {
  const { oldString, newString } = strings;
  if (oldString === newString) return identical();
  if (oldString === '' && searched.text !== '') return emptyOld(path);
  const mark = addedElision(newString, oldString, searched.text);
  return mark === undefined ? undefined : elision(mark);
}
