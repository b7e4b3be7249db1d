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
import { lineEdits } from '../merge/line-edits.ts';
import { lineList } from '../range-words.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { ChangedSide, ChangeRecord } from './change-record.ts';
import { movedEdits } from './moved-edits.ts';
import { type NetFile, netFiles } from './net-change.ts';

/** What is needed to take a change back. */
export interface Undoing {
  readonly record: ChangeRecord;
  /** The contents that the record names, by hash. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Names that files which the change took a name from still have, by inode; with the content that they have. */
  readonly names: ReadonlyMap<string, { readonly path: string; readonly sha256: string }>;
}

/**
 * Plans the way back from a change: each file to its name and its bytes before, where it still has those after or was
 * emptied since; where only other lines changed since, those of the change go back and the others stay. All or nothing.
 */
export function planUndo(files: FilesBefore, undoing: Undoing): PlannedChange | Refusal {
  const net = netFiles(undoing.record);
  const planned: PlannedFile[] = [];
  const made = new Map<string, string>();
  for (const file of net) {
    const plans = planPath(files, file, { ...undoing, net, made });
    if ('status' in plans) return plans;
    planned.push(...plans);
  }
  return { status: 'planned', files: planned };
}

interface Way extends Undoing {
  readonly net: readonly NetFile[];
  /** Where this Undo itself makes a file anew, by the inode that it had. */
  readonly made: Map<string, string>;
}

/** What has to be done about the file that is at a path now, and about the one that was there before. */
function planPath(files: FilesBefore, changed: NetFile, way: Way): readonly PlannedFile[] | Refusal {
  const file = files.at(changed.path);
  const { receipt } = way.record;
  const { before, after, from } = changed;
  const now = way.net.find((each) => each.from === changed.path);
  if (!after && file.found) {
    const what = now ? 'moved' : 'deleted';
    return refuse(
      'exists',
      `${file.shown} is there again since ${receipt} ${what} it. Move it away first, or leave the change as it is.`,
    );
  }
  if (after && !file.found)
    return refuse(
      'not_found',
      `${file.shown} is gone since ${receipt} changed it, so nothing can be taken back in it.`,
    );
  if (before && from === changed.path) return one(planBack(file, changed, way));
  if (after && from === undefined && !isAsLeft(file, changed)) {
    const bytes = before ? way.contents.get(before.sha256) : undefined;
    return bytes ? one(planBack(file, changed, way)) : changedSince(file, receipt, undefined);
  }
  const leaves = after && from !== undefined ? planMoveBack(files, { changed, from }, way) : [];
  if ('status' in leaves) return leaves;
  if (before && !now) {
    const again = makeAgain(file, changed, way);
    return 'status' in again ? again : [...leaves, again];
  }
  if (after && from === undefined) return [{ op: 'remove', file, folders: before ? [] : changed.folders }];
  return leaves;
}

function one(plan: PlannedFile | Refusal): readonly PlannedFile[] | Refusal {
  return 'status' in plan ? plan : [plan];
}

/** The content of a file that is still the same one. */
function planBack(file: FileBefore, changed: NetFile, way: Way): PlannedFile | Refusal {
  const before = changed.before && way.contents.get(changed.before.sha256);
  if (!before) return gone(way.record.receipt);
  const edits = editsBack(file, { before, after: changed.after }, way);
  return 'status' in edits ? edits : { op: 'write', file, ...edits };
}

/** What gives a file its content before, whole where no one changed it since, else around what others changed. */
function editsBack(
  file: FileBefore,
  { before, after }: { readonly before: Uint8Array; readonly after: ChangedSide | null },
  way: Way,
): Pick<PlannedText, 'edits' | 'bytes'> | Refusal {
  // Whoever emptied it since left nothing that could be lost.
  const isWhole = isAsLeft(file, { after }) || file.found?.bytes.length === 0;
  return isWhole ? { edits: editsTo(file, before), bytes: before } : editsAround(file, { before, after }, way);
}

function planMoveBack(
  files: FilesBefore,
  { changed, from }: { readonly changed: NetFile; readonly from: string },
  way: Way,
): readonly PlannedFile[] | Refusal {
  const source = way.net.find(({ path }) => path === from);
  const before = source?.before ? way.contents.get(source.before.sha256) : undefined;
  if (!before) return gone(way.record.receipt);
  const [file, to] = [files.at(changed.path), files.at(from)];
  const edits = editsBack(file, { before, after: changed.after }, way);
  return 'status' in edits ? edits : [{ op: 'move', file, to, ...edits, folders: changed.folders }];
}

/** A file that is not there any more, or that another one replaced. */
function makeAgain(file: FileBefore, { before, after, from }: NetFile, way: Way): PlannedText | Refusal {
  const bytes = before ? way.contents.get(before.sha256) : undefined;
  if (!before || !bytes) return gone(way.record.receipt);
  const { mode, owner, attributes } = before;
  const traits = {
    ...(mode !== undefined && { mode }),
    ...(owner && { owner }),
    ...(attributes !== undefined && { attributes }),
    ...linkTo(file, before, way),
  };
  if (after && from === undefined) {
    return { op: 'write', file, isNew: true, edits: editsTo(file, bytes), bytes, ...traits };
  }
  const place = { ...file, found: undefined };
  return { op: 'write', file: place, edits: fromNothing(bytes), bytes, ...traits };
}

/** One of several names of a file becomes one again, as far as there is another that has its content. */
function linkTo(
  file: FileBefore,
  { inode, links = 1, sha256 }: ChangedSide,
  { names, made, net }: Way,
): Pick<PlannedText, 'linkOf' | 'note'> {
  if (inode === undefined || links < 2) return {};
  const twin = made.get(inode);
  if (twin !== undefined) return { linkOf: twin };
  made.set(inode, file.path);
  const name = names.get(inode);
  // It is linked when what this Undo moves has its old name again.
  const moved = net.find(({ path }) => path === name?.path)?.from;
  if (name?.sha256 === sha256) return { linkOf: moved ?? name.path };
  const why = name
    ? `its other name ${name.path} has other content since`
    : 'none of its other names was found below the root';
  return {
    note: `note: ${file.shown} was one of ${links} names of a file (hard links); it is a file of its own now: ${why}`,
  };
}

/** The change's own lines back, and those that others changed since as they are. */
function editsAround(
  file: FileBefore,
  sides: { readonly before: Uint8Array; readonly after: ChangedSide | null },
  { record, contents }: Way,
): Pick<PlannedText, 'edits'> | Refusal {
  const { before } = sides;
  const after = sides.after && contents.get(sides.after.sha256);
  const now = file.found && textOf(file.found);
  if (!after) return gone(record.receipt);
  if (now?.status !== 'text') return changedSince(file, record.receipt, undefined);
  const [was, left] = [textIn(file.path, before), textIn(file.path, after)];
  if (was === undefined || left === undefined) return changedSince(file, record.receipt, undefined);
  const moved = movedEdits(left, lineEdits(left, was), lineEdits(left, now.snapshot.text));
  if (moved.status === 'touched') return changedSince(file, record.receipt, moved.lines);
  return { edits: moved.edits };
}

function isAsLeft({ found }: FileBefore, { after }: Pick<NetFile, 'after'>): boolean {
  const hash = found ? createHash('sha256').update(found.bytes).digest('hex') : null;
  return hash === (after?.sha256 ?? null);
}

function editsTo(file: FileBefore, bytes: Uint8Array): readonly SpanEdit[] {
  const text = file.found && textOf(file.found);
  const target = textIn(file.path, bytes);
  return text?.status === 'text' && target !== undefined ? lineEdits(text.snapshot.text, target) : [];
}

function fromNothing(bytes: Uint8Array): readonly SpanEdit[] {
  const text = textIn('', bytes);
  return text === undefined || text === '' ? [] : [{ start: 0, end: 0, newText: text }];
}

function textIn(path: string, bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes, { path });
  return decoded.status === 'decoded' ? decoded.text : undefined;
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
