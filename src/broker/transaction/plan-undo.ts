import { createHash } from 'node:crypto';
import type { SpanEdit } from '../../workspace/span.ts';
import { decodeText } from '../../workspace/text-encoding.ts';
import {
  type FileBefore,
  type FilesBefore,
  type PlannedChange,
  type PlannedFile,
  type PlannedText,
  textOf,
} from '../change-request.ts';
import { lineList } from '../outcome-words.ts';
import { planWrite } from '../plan-write.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { ChangedFile, ChangeRecord } from './change-record.ts';
import { movedEdits } from './moved-edits.ts';

/** The contents that a record names, by hash. */
export type Contents = ReadonlyMap<string, Uint8Array>;

/**
 * Plans the way back from a change: each file to its bytes before, where it still has those after or was emptied
 * since; where only other lines changed since, those of the change go back and the others stay. All or nothing.
 */
export function planUndo(files: FilesBefore, record: ChangeRecord, contents: Contents): PlannedChange | Refusal {
  const sources = new Map(
    record.files.flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [] : [[movedFrom, path] as const])),
  );
  const planned: PlannedFile[] = [];
  for (const changed of record.files) {
    // What a move took away comes back with the file that it made.
    if (sources.has(changed.path) && !changed.after) continue;
    const plan = planFile(files, { record, changed, contents });
    if ('status' in plan) return plan;
    planned.push(plan);
  }
  return { status: 'planned', files: planned };
}

interface Undoing {
  readonly record: ChangeRecord;
  readonly changed: ChangedFile;
  readonly contents: Contents;
}

function planFile(files: FilesBefore, undoing: Undoing): PlannedFile | Refusal {
  const { record, changed, contents } = undoing;
  const file = files.at(changed.path);
  const { receipt } = record;
  const isAsLeft = hashOf(file) === (changed.after?.sha256 ?? null);
  const before = changed.before ? contents.get(changed.before.sha256) : undefined;
  if (changed.before && !before) return gone(receipt);
  if (!changed.after) {
    if (!isAsLeft || !before) return refuse('exists', `${file.shown} is there again since ${receipt} deleted it.`);
    return { op: 'write', file, edits: fromNothing(before), bytes: before, ...modeOf(changed) };
  }
  if (!file.found) return refuse('not_found', `${file.shown} is gone since ${receipt} changed it.`);
  // Whoever emptied it since left nothing that could be lost.
  const isWhole = isAsLeft || file.found.bytes.length === 0;
  if (isWhole && before) return { op: 'write', file, edits: editsTo(file, before), bytes: before };
  if (!isAsLeft) return before ? planAround(file, undoing, before) : changedSince(file, receipt, undefined);
  if (changed.movedFrom === undefined) return { op: 'remove', file, folders: changed.folders };
  return planMoveBack(files, undoing, file);
}

function planMoveBack(
  files: FilesBefore,
  { record, changed, contents }: Undoing,
  file: FileBefore,
): PlannedFile | Refusal {
  const source = record.files.find(({ path }) => path === changed.movedFrom);
  const before = source?.before ? contents.get(source.before.sha256) : undefined;
  if (!source || !before) return gone(record.receipt);
  const to = files.at(source.path);
  if (to.found) return refuse('exists', `${to.shown} is there again since ${record.receipt} moved it.`);
  const { folders } = changed;
  return { op: 'move', file, to, edits: editsTo(file, before), bytes: before, folders, ...modeOf(source) };
}

/** The change's own lines back, and those that others changed since as they are. */
function planAround(
  file: FileBefore,
  { record, changed, contents }: Undoing,
  before: Uint8Array,
): PlannedText | Refusal {
  const after = changed.after ? contents.get(changed.after.sha256) : undefined;
  const now = file.found && textOf(file.found);
  if (!after) return gone(record.receipt);
  if (now?.status !== 'text') return changedSince(file, record.receipt, undefined);
  const [was, left] = [textIn(file.path, before), textIn(file.path, after)];
  if (was === undefined || left === undefined) return changedSince(file, record.receipt, undefined);
  const moved = movedEdits(left, planWrite(left, was), planWrite(left, now.snapshot.text));
  if (moved.status === 'touched') return changedSince(file, record.receipt, moved.lines);
  return { op: 'write', file, edits: moved.edits };
}

function hashOf({ found }: FileBefore): string | null {
  return found ? createHash('sha256').update(found.bytes).digest('hex') : null;
}

function editsTo(file: FileBefore, bytes: Uint8Array): readonly SpanEdit[] {
  const text = file.found && textOf(file.found);
  const target = textIn(file.path, bytes);
  return text?.status === 'text' && target !== undefined ? planWrite(text.snapshot.text, target) : [];
}

function fromNothing(bytes: Uint8Array): readonly SpanEdit[] {
  const text = textIn('', bytes);
  return text === undefined || text === '' ? [] : [{ start: 0, end: 0, newText: text }];
}

function textIn(path: string, bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes, { path });
  return decoded.status === 'decoded' ? decoded.text : undefined;
}

function modeOf({ before }: ChangedFile): { mode?: number } {
  return before?.mode === undefined ? {} : { mode: before.mode };
}

function gone(receipt: string): Refusal {
  return refuse('unavailable', `what ${receipt} replaced is not kept any more. Edit the file instead.`);
}

function changedSince(file: FileBefore, receipt: string, lines: readonly number[] | undefined): Refusal {
  const where = lines ? ` at ${lineList(lines)}` : '';
  return refuse(
    'stale',
    `${file.shown} was changed since ${receipt}${where}: undoing it would take that back too. Read it, then Edit it.`,
  );
}
