import type { FileBefore, FilesBefore, PlannedChange, PlannedFile } from './change-request.ts';
import { newText, textOf } from './change-request.ts';
import type { EditRequest } from './edit-plan.ts';
import { mapRanges } from './line-changes.ts';
import { laxest } from './matched-via.ts';
import { planEdits } from './plan-edits.ts';
import { planSeenEdit, seenText } from './plan-seen-edit.ts';
import type { Planning } from './planning.ts';
import { type Refusal, refuse } from './refusal.ts';
import { inEdit, overlapsEarlier } from './refusal-words.ts';
import { seenContent } from './session-ledger.ts';

/** One edit of several: of which file, and what. */
export interface FileEdit {
  /** As the caller spelled it. */
  readonly path: string;
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/**
 * Plans edits of several files, in order, each on the result of those before it and with what the session knows of its
 * file; all or nothing. A refusal names the edit that it is about, and its file.
 */
export async function planMultiEdit(
  planning: Planning,
  files: FilesBefore,
  edits: readonly FileEdit[],
): Promise<PlannedChange | Refusal> {
  const byFile = new Map<string, { readonly file: FileBefore; readonly edits: FileEdit[]; readonly at: number[] }>();
  for (const [index, edit] of edits.entries()) {
    const file = files.at(edit.path);
    const group = byFile.get(file.path) ?? { file, edits: [], at: [] };
    byFile.set(file.path, group);
    group.edits.push(edit);
    group.at.push(index);
  }
  const planned: PlannedFile[] = [];
  for (const group of byFile.values()) {
    const plan = await planFile(planning, group.file, group.edits);
    if (!('index' in plan)) planned.push(plan);
    else return inEdit(plan, { at: group.at[plan.index] ?? 0, of: edits.length, shown: group.file.shown });
  }
  return { status: 'planned', files: planned };
}

async function planFile(
  { session, planEdit }: Planning,
  file: FileBefore,
  edits: readonly FileEdit[],
): Promise<PlannedFile | (Refusal & { readonly index: number })> {
  if (!file.found) return planNewFile(file, edits);
  const text = textOf(file.found);
  if (text.status === 'refused') return { ...text, index: 0 };
  const before = seenContent(file.found.bytes, text.snapshot);
  const requests = edits.map(
    ({ oldString, newString, replaceAll }): EditRequest => ({ oldString, newString, replaceAll, path: file.shown }),
  );
  let known = seenText(session, file, before).known();
  const plan = await planEdits(before.text, requests, async (current, request) => {
    // What earlier edits of the call left is a content that nobody saw: what was known of it moves with them.
    const content = current === before.text ? before : { hash: '', text: current };
    const seen = { ...seenText(session, file, content), known: () => known };
    const one = await planSeenEdit(seen, request, planEdit);
    if (one.status === 'planned') known = mapRanges(known, one.hunks);
    return one;
  });
  if (plan.status === 'refused') return plan;
  const loosest = laxest(plan.plans);
  return {
    op: 'write',
    file,
    edits: plan.edits,
    kept: plan.kept,
    asked: plan.lines.flatMap((lines, index) => {
      const edit = edits[index];
      return edit ? [{ oldString: edit.oldString, newString: edit.newString, lines }] : [];
    }),
    ...(loosest && { matchedVia: loosest.matchedVia }),
    ...(loosest?.detail !== undefined && { detail: loosest.detail }),
  };
}

/** A file that is not there is made by an edit whose old_string is empty. */
function planNewFile(
  file: FileBefore,
  edits: readonly FileEdit[],
): PlannedFile | (Refusal & { readonly index: number }) {
  const [first] = edits;
  if (first?.oldString !== '')
    return {
      ...refuse(
        'not_found',
        `${file.shown} is not there. See what its folder has, or make it with an empty old_string.`,
      ),
      index: 0,
    };
  if (first.newString === '')
    return {
      ...refuse(
        'identical',
        `old_string and new_string are both empty. Send what is to stand in ${file.shown} as new_string.`,
      ),
      index: 0,
    };
  if (edits.length > 1) return { ...overlapsEarlier(1), index: 1 };
  return newText(file, first.newString);
}
