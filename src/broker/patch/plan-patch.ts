import { TextDocument } from 'vscode-languageserver-textdocument';
import { applySpanEdits } from '../../workspace/span.ts';
import { type FileBefore, type FilesBefore, type PlannedChange, textOf } from '../change-request.ts';
import { type LineHunk, lineHunks } from '../line-hunks.ts';
import { laxest } from '../matched-via.ts';
import { movedLine } from '../moved-line.ts';
import { seenText } from '../plan-seen-edit.ts';
import type { Planning } from '../planning.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { seenContent } from '../session-ledger.ts';
import { type DraftFile, plannedFiles } from './draft-files.ts';
import type { AddPatch, DeletePatch, FilePatch, UpdatePatch } from './patch.ts';
import { inPatch, movedOntoItself, notEmpty, nothingLeft } from './patch-words.ts';
import { type HunksPlan, planHunks } from './plan-hunks.ts';

/**
 * Plans a patch: its parts in order, each on what those before it left, so that one file may have several, and with
 * what the session knows of the files. All or nothing: a refusal names the part that it is about.
 */
export async function planPatch(
  planning: Planning,
  files: FilesBefore,
  patches: readonly FilePatch[],
): Promise<PlannedChange | Refusal> {
  const drafts = new Map<string, DraftFile>();
  const draftOf = (path: string): DraftFile => {
    const file = files.at(path);
    const draft = drafts.get(file.path) ?? { file, isThere: file.found !== undefined, ...(file.found && { of: file }) };
    drafts.set(file.path, draft);
    return draft;
  };
  const keep = (draft: DraftFile): void => {
    drafts.set(draft.file.path, draft);
  };
  const waiting: DraftFile[] = [];
  for (const [at, patch] of patches.entries()) {
    const isFreed = ({ path }: FileBefore, ...by: readonly ('delete' | 'update')[]): boolean =>
      patches.slice(at + 1).some((later) => frees(later, by) && files.at(later.path).path === path);
    const wait = (draft: DraftFile) => waiting.push(draft);
    const refusal = await planPart(patch, { planning, draftOf, keep, isFreed, wait });
    if (refusal) return inPatch(refusal, patches.length);
  }
  for (const draft of waiting) {
    if (drafts.get(draft.file.path)?.isThere)
      return inPatch(isThere(draft.file, 'Move to another name'), patches.length);
    keep(draft);
  }
  const planned = plannedFiles([...drafts.values()]);
  if (planned.length === 0) return nothingLeft([...drafts.values()].map(({ file }) => file.shown));
  return { status: 'planned', files: planned };
}

interface Drafts {
  readonly planning: Planning;
  draftOf(path: string): DraftFile;
  keep(draft: DraftFile): void;
  /** Whether a later part takes the name away, by one of these ways: git writes renames in any order. */
  isFreed(file: FileBefore, ...by: readonly ('delete' | 'update')[]): boolean;
  /** Keeps what takes such a name, once all parts are planned. */
  wait(draft: DraftFile): void;
}

function frees(patch: FilePatch, by: readonly FilePatch['op'][]): boolean {
  return by.includes(patch.op) && (patch.op !== 'update' || patch.moveTo !== undefined);
}

function isThere({ shown }: FileBefore, instead: string): Refusal {
  return refuse('exists', `${shown} is there already. ${instead}, or delete it first.`);
}

async function planPart(patch: FilePatch, drafts: Drafts): Promise<Refusal | undefined> {
  switch (patch.op) {
    case 'add':
      return add(patch, drafts);
    case 'delete':
      return remove(patch, drafts);
    case 'update':
      return update(patch, drafts);
  }
}

function add(patch: AddPatch, { draftOf, keep, isFreed, wait }: Drafts): Refusal | undefined {
  const draft = draftOf(patch.path);
  if (draft.isThere && !isFreed(draft.file, 'update')) return isThere(draft.file, 'Update it');
  const place = draft.isThere ? wait : keep;
  place({
    file: draft.file,
    isThere: true,
    text: patch.content,
    ...(patch.mode !== undefined && { mode: patch.mode }),
  });
  return undefined;
}

function remove(patch: DeletePatch, { draftOf, keep }: Drafts): Refusal | undefined {
  const draft = draftOf(patch.path);
  if (!draft.isThere) return absent(draft.file);
  if (patch.lines) {
    const text = currentText(draft);
    if (typeof text !== 'string') return text;
    const lines = text === '' ? [] : text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/);
    if (patch.lines.length === 0 && lines.length > 0) return notEmpty(draft.file.shown, lines.length);
    const at = Math.max(lines.length, patch.lines.length);
    for (let line = 0; line < at; line += 1) {
      if (lines[line]?.trimEnd() === patch.lines[line]?.trimEnd()) continue;
      return refuse(
        'no_match',
        `${draft.file.shown} has other lines than the patch takes away, from L${line + 1} on. Read it first.`,
      );
    }
  }
  keep({ file: draft.file, isThere: false });
  return undefined;
}

async function update(
  patch: UpdatePatch,
  { planning, draftOf, keep, isFreed, wait }: Drafts,
): Promise<Refusal | undefined> {
  const draft = draftOf(patch.path);
  if (!draft.isThere) return absent(draft.file);
  const target = patch.moveTo === undefined ? draft : draftOf(patch.moveTo);
  const isMove = target.file.path !== draft.file.path;
  if (patch.moveTo !== undefined && !isMove) return movedOntoItself(draft.file.shown, patch.hunks.length > 0);
  const isTaken = isMove && target.isThere;
  if (isTaken && !isFreed(target.file, 'update', 'delete')) return isThere(target.file, 'Move to another name');
  const changed = patch.hunks.length === 0 ? draft : await withHunks(planning, draft, patch);
  if ('status' in changed) return changed;
  if (!isMove) {
    keep(changed);
    return undefined;
  }
  keep({ file: draft.file, isThere: false });
  const place = isTaken ? wait : keep;
  place({ ...changed, file: target.file });
  return undefined;
}

async function withHunks(planning: Planning, draft: DraftFile, patch: UpdatePatch): Promise<DraftFile | Refusal> {
  const { session, planEdit } = planning;
  const text = currentText(draft);
  if (typeof text !== 'string') return text;
  const { found, path } = draft.of ?? draft.file;
  const snapshot = found && textOf(found);
  const isAsFound = draft.text === undefined && found && snapshot?.status === 'text';
  const content = isAsFound ? seenContent(found.bytes, snapshot.snapshot) : { hash: '', text };
  const { shown } = draft.file;
  const seen = seenText(session, { path, shown }, content);
  const plan = await planHunks({ shown, text, seen }, patch.hunks, { planEdit });
  if (plan.status === 'refused') return plan;
  // Edits of a text that an earlier part left are not edits of the file.
  const { edits: _earlier, ...rest } = draft;
  return {
    ...rest,
    text: applySpanEdits(text, plan.edits),
    ...(draft.text === undefined && { edits: plan.edits }),
    how: howOfBoth(draft.how, plan, lineHunks(TextDocument.create('', '', 0, text), plan.edits)),
  };
}

/** What an earlier part of the patch did to the file stays told, in the lines of the text after both. */
function howOfBoth(
  earlier: DraftFile['how'],
  now: HunksPlan,
  hunks: readonly LineHunk[],
): NonNullable<DraftFile['how']> {
  const loose = (earlier && laxest([earlier, now])) ?? now;
  const kept = (earlier?.kept ?? []).map((line) => movedLine(line, hunks));
  const asked = (earlier?.asked ?? []).map(({ lines: [first, last], ...edit }) => {
    return { ...edit, lines: [movedLine(first, hunks), movedLine(last, hunks)] as const };
  });
  return {
    ...(loose.matchedVia !== undefined && { matchedVia: loose.matchedVia }),
    ...(loose.detail !== undefined && { detail: loose.detail }),
    kept: [...new Set([...kept, ...now.kept])].sort((a, b) => a - b),
    asked: [...asked, ...now.asked],
  };
}

function currentText(draft: DraftFile): string | Refusal {
  if (draft.text !== undefined) return draft.text;
  const found = draft.of?.found;
  if (!found) throw new RangeError(`${draft.file.path} is there, but from nowhere`);
  const text = textOf(found);
  return text.status === 'refused' ? text : text.snapshot.text;
}

function absent(file: FileBefore): Refusal {
  return refuse(
    'not_found',
    `${file.shown} is not there${file.found ? ' any more after an earlier part of the patch' : ''}. See what its folder has.`,
  );
}
