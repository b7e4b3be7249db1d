import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { FilesBefore } from '../broker/change-request.ts';
import { landChange } from '../broker/land-change.ts';
import { type UndoHistory, undoHistory } from '../broker/landed-receipts.ts';
import { type Refusal, refuse } from '../broker/refusal.ts';
import type { Session } from '../broker/session.ts';
import { type ChangeRecord, parseChangeRecord } from '../broker/transaction/change-record.ts';
import { netFiles } from '../broker/transaction/net-change.ts';
import { planUndo, type Undoing } from '../broker/transaction/plan-undo.ts';
import { otherName } from '../broker/transaction/restore-file.ts';
import { cutLine } from '../workspace/truncation.ts';
import { beginChange, landedResult, refusedResult } from './change-result.ts';
import { orFailed } from './failed-part.ts';
import { defineTool } from './tool.ts';

/** UTF-16 units of an id that is told back. */
const MAX_SHOWN = 100;

/** Takes one change back; offered where a host asks for it. */
export const undoTool = defineTool({
  name: 'Undo',
  description:
    'Take back one change by the id in its answer, as in [e7]; without id the last one of this session. ' +
    'Refused where its lines were changed since. An Undo can be undone.',
  args: z.strictObject({ id: z.string().optional() }),
  hints: { destructiveHint: true },
  async run(args, call) {
    const { session } = call;
    const change = await beginChange('Undo', call);
    const history = await undoHistory(session);
    const id = args.id?.trim().replace(/^\[/, '').replace(/\]$/, '').trim() ?? history.standing.at(-1);
    if (id === undefined) return refusedResult(change, nothingLeft(history));
    const record = await findRecord(session, id);
    if (!record) return refusedResult(change, await absent(session, id, history));
    const undoing = { record, contents: await contentsOf(session, record), names: await namesOf(session, record) };
    const paths = netFiles(record).map(({ path }) => path);
    const request = { paths, receipt: change.receipt, plan: (files: FilesBefore) => planUndo(files, undoing) };
    const landed = await orFailed(call, paths, () => landChange(session, request, call.signal));
    if (landed.status === 'refused') {
      const by = history.undoneBy(id);
      return refusedResult(change, by === undefined ? landed : { ...landed, ...undoneAlready(id, by) });
    }
    return landedResult(change, landed, { as: 'edit', note: `note: ${id} is undone`, undoes: id });
  },
});

async function lastKept(session: Session, ids: readonly string[]): Promise<string | undefined> {
  for (const id of [...ids].reverse()) if (await findRecord(session, id)) return id;
  return undefined;
}

async function findRecord(session: Session, id: string): Promise<ChangeRecord | undefined> {
  const text = await session.root.kept.changes.find(id);
  return text === undefined ? undefined : parseChangeRecord(text);
}

async function contentsOf(session: Session, record: ChangeRecord): Promise<Undoing['contents']> {
  const contents = new Map<string, Uint8Array>();
  for (const side of record.files.flatMap(({ before, after }) => [before, after])) {
    const bytes = side ? await session.root.kept.undo.get(side.sha256) : undefined;
    if (side && bytes) contents.set(side.sha256, bytes);
  }
  return contents;
}

/** Of files that lost one name of several: another that they still have. */
async function namesOf({ root }: Session, record: ChangeRecord): Promise<Undoing['names']> {
  const names = new Map<string, { path: string; sha256: string }>();
  const net = netFiles(record);
  for (const { path, before } of net) {
    const isHeld = net.some(({ from }) => from === path);
    if (!before || before.inode === undefined || isHeld || names.has(before.inode)) continue;
    const name = await otherName(root.store, before, root.root);
    if (name === undefined) continue;
    const content = await root.store.read(name);
    const bytes = content.kind === 'file' ? content.bytes : content.text;
    names.set(before.inode, { path: name, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  return names;
}

function nothingLeft({ lastUndo }: UndoHistory): Refusal {
  const redo = lastUndo === undefined ? '' : ` To take its last Undo back: ${call(lastUndo)}.`;
  return refuse(
    'not_found',
    `this session has no change left to undo.${redo} Another session's is named by the id that its answer has in brackets.`,
  );
}

function undoneAlready(id: string, by: string): Refusal {
  return refuse(
    'already_applied',
    `[${id}] was undone already, by [${by}]. Nothing to do. To have the change back, undo that Undo: ${call(by)}.`,
  );
}

/** What was too large to keep, say. An earlier change is not what was asked for: it is taken back where it is named. */
async function absent(session: Session, id: string, { standing }: UndoHistory): Promise<Refusal> {
  const last = await lastKept(session, standing);
  if (standing.includes(id)) {
    const earlier = last === undefined ? '' : ` The last change of this session that is kept is ${call(last)}.`;
    return refuse('unavailable', `what [${id}] replaced is not kept. Edit the file instead.${earlier}`);
  }
  const advice =
    last === undefined
      ? 'A change is named by the id that its answer has in brackets.'
      : `The last change of this session that stands is ${call(last)}.`;
  return refuse(
    'not_found',
    `no change with the id ${JSON.stringify(cutLine(id, MAX_SHOWN).text)} is kept here. ${advice}`,
  );
}

const call = (id: string): string => JSON.stringify({ id });
