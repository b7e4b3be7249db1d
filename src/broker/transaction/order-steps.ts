import { dirname, join } from 'node:path';
import type { PlannedMove, PlannedText } from '../change-request.ts';
import { isIdle, needsNewFile, type StagedFile, type StagedPlan, type StagedSide, sideOf } from './staged-file.ts';

/** Permission bits, without those that lend the owner's rights. */
const PERMISSIONS = 0o777;

/**
 * The steps that a plan comes to, in the order of doing. Contents are changed first, where the files are; then files
 * get their new names, so that all that belongs to them comes along; what is new comes next, and what goes is last. A
 * name is taken when what stands there has gone: where names are swapped, one file waits under a name of our own.
 */
export function orderSteps(plans: readonly StagedPlan[], receipt: string): readonly StagedFile[] {
  const removals = new Map(
    plans.flatMap(({ plan }) => (plan.op === 'remove' ? [[plan.file.path, plan] as const] : [])),
  );
  /** What is to be removed from a path goes when something else takes its place. */
  const occupant = (path: string): StagedSide | undefined => {
    const removal = removals.get(path);
    removals.delete(path);
    return removal && sideOf(removal.file);
  };
  const busy = plans.filter((plan) => !isIdle(plan));
  const edits = busy.flatMap(editStep);
  const moves = orderMoves(busy.flatMap(waitingMove), occupant, receipt);
  const news = busy.flatMap(({ plan, bytes }): StagedFile[] => {
    const isMade = plan.op === 'write' && bytes && (!plan.file.found || needsNewFile(plan));
    return isMade ? [newStep(plan, bytes, sideOf(plan.file) ?? occupant(plan.file.path))] : [];
  });
  const goes = [...removals.values()].map(({ file, folders = [] }): StagedFile => {
    const { path, shown } = file;
    return { path, shown, before: sideOf(file), after: undefined, edits: [], folders };
  });
  return [...edits, ...moves, ...news, ...goes];
}

/** Other content of a file that stays what it is, wherever it is moved then. */
function editStep({ plan, bytes }: StagedPlan): readonly StagedFile[] {
  const before = sideOf(plan.file);
  if (plan.op === 'remove' || !before || !bytes || needsNewFile(plan)) return [];
  if (Buffer.compare(before.bytes, bytes) === 0) return [];
  const { path, shown } = plan.file;
  return [{ path, shown, before, after: { bytes }, edits: plan.edits, folders: [] }];
}

function newStep(plan: PlannedText, bytes: Uint8Array, before: StagedSide | undefined): StagedFile {
  const { path, shown } = plan.file;
  const old = plan.isNew ? before : undefined;
  const mode = plan.mode ?? (old?.mode === undefined ? undefined : old.mode & PERMISSIONS);
  const owner = plan.owner ?? old?.owner;
  const traits = {
    ...(mode !== undefined && { mode }),
    ...(owner && { owner }),
    ...(plan.attributes !== undefined && { attributes: plan.attributes }),
  };
  const step = { path, shown, before, after: { bytes, ...traits }, edits: plan.edits, folders: [] };
  if (plan.linkOf !== undefined) return { ...step, origin: { kind: 'of', path: plan.linkOf } };
  return before ? { ...step, origin: { kind: 'new' } } : step;
}

interface Place {
  readonly path: string;
  readonly shown: string;
}

interface Move {
  readonly from: Place;
  readonly to: Place;
  readonly side: StagedSide;
  readonly folders: readonly string[];
}

function waitingMove({ plan, bytes }: StagedPlan): readonly Move[] {
  const side = sideOf(plan.file);
  if (plan.op !== 'move' || !side || !bytes) return [];
  return [{ from: plan.file, to: plan.to, side: changedSide(side, bytes), folders: foldersOf(plan) }];
}

function foldersOf({ folders = [] }: PlannedMove): readonly string[] {
  return folders;
}

/** With other content it may be another inode by then. */
function changedSide(side: StagedSide, bytes: Uint8Array): StagedSide {
  if (Buffer.compare(side.bytes, bytes) === 0) return side;
  const { inode: _, ...rest } = side;
  return { ...rest, content: { kind: 'file', bytes }, bytes };
}

/** A move is free once nothing that is still to be moved stands at its target. */
function orderMoves(
  moves: readonly Move[],
  occupant: (path: string) => StagedSide | undefined,
  receipt: string,
): readonly StagedFile[] {
  const steps: StagedFile[] = [];
  const byTarget = new Map(moves.map((move) => [move.to.path, move]));
  /** By the path where its file stands now. */
  const waiting = new Map(moves.map((move) => [move.from.path, move]));
  const free = moves.filter(({ to }) => !waiting.has(to.path));
  const leave = (path: string): void => {
    waiting.delete(path);
    const next = byTarget.get(path);
    if (next) free.push(next);
  };
  for (let done = 0, aside = 1; waiting.size > 0; ) {
    const move = free[done];
    if (move) {
      done += 1;
      steps.push(...moveSteps(move, occupant(move.to.path)));
      leave(move.from.path);
      continue;
    }
    // What is left goes in circles: one file makes room under another name.
    const [first] = waiting.values();
    if (!first) break;
    const { from, to, side, folders } = first;
    const place = { path: join(dirname(from.path), `.emend-${receipt}-${aside}.tmp`), shown: from.shown };
    aside += 1;
    steps.push(...moveSteps({ from, to: place, side, folders: [] }, undefined));
    const later = { from: place, to, side, folders };
    byTarget.set(to.path, later);
    waiting.set(place.path, later);
    leave(from.path);
  }
  return steps;
}

/** It comes before it goes, so that a move is never a file less. */
function moveSteps({ from, to, side, folders }: Move, before: StagedSide | undefined): readonly StagedFile[] {
  const origin = { kind: 'of', path: from.path, goes: true } as const;
  const nothing = { edits: [], folders: [] };
  return [
    { path: to.path, shown: to.shown, before, after: { bytes: side.bytes }, ...nothing, origin },
    { path: from.path, shown: from.shown, before: side, after: undefined, edits: [], folders },
  ];
}
