import type { DiagnosticsReport } from '../diagnostics/report.ts';
import type { ChangeRequest, FileBefore } from './change-request.ts';
import { checkLanded, checkPlanned } from './check-change.ts';
import { planWith } from './edit-planner.ts';
import { type LandedFile, landedFiles } from './landed-file.ts';
import { losesUnseen } from './loses-unseen.ts';
import { type NamedPlace, openFiles, resolvePlaces } from './open-files.ts';
import { noteOwnWrites } from './own-writes.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Session } from './session.ts';
import { rememberLanded } from './session-ledger.ts';
import { recordChange } from './transaction/change-record.ts';
import { commitFiles } from './transaction/commit-files.ts';
import { checkSteps, stageFiles } from './transaction/stage-files.ts';
import type { StagedFile } from './transaction/staged-file.ts';

/** Of the contents before and after: keeping more would cost each edit of a huge file more than the edit itself. */
export const MAX_UNDO_BYTES = 64 * 1024 * 1024;
/** Of a file that a refused call looked at. */
const MAX_OPENED_BYTES = 4 * 1024 * 1024;
/** So often a change is planned anew because its buffer was typed in elsewhere. */
const MAX_TYPED_OVER = 10;

/** A change that is written, or (`mode: 'plan'`) could be. Its diagnostics may still be on their way. */
export interface LandedChange {
  readonly status: 'landed';
  /** In the order of the plan. */
  readonly files: readonly LandedFile[];
  /** The files that the request named, as they were before. */
  readonly opened: readonly FileBefore[];
  readonly diagnostics: Promise<DiagnosticsReport>;
  /** What others changed in these files since the session read them. */
  readonly notes: readonly string[];
  /** What undoes it is kept, or why not, in words that follow a colon. */
  readonly undo: UndoKept;
}

/** Whether Undo can take a change back, and why not. */
export type UndoKept = { readonly isKept: true } | { readonly isKept: false; readonly why: string };

/** Nothing was changed. */
interface RefusedChange extends Refusal {
  /** The files that the request named, as far as it came to look at them. */
  readonly opened: readonly FileBefore[];
}

/**
 * The path of one change of one or many files: lock, open, plan, encode, compare and write all or nothing, tell the
 * servers. When the store no longer holds what was planned on, it is planned once more, then `stale` or, where an
 * editor did not make the change, `conflict`. A refusal leaves every byte as it was.
 * @throws StoreError where the world fails; then too nothing is changed, or the message says what is
 */
export async function landChange(
  session: Session,
  request: ChangeRequest,
  signal?: AbortSignal,
): Promise<LandedChange | RefusedChange> {
  const { root } = session;
  const resolved = await resolvePlaces(root, request.paths);
  if (resolved.status === 'refused') return { ...resolved, opened: [] };
  const { places } = resolved;
  const paths = places.map(({ path }) => path);
  return root.locks.withPathLocks(paths, signal, async () => {
    const outcome = await planUntilWritten({ session, request, places }, signal);
    if (outcome.status === 'refused') await keepOpened(session, outcome.opened);
    return outcome;
  });
}

async function planUntilWritten(
  { session, request, places }: Attempt,
  signal: AbortSignal | undefined,
): Promise<LandedChange | RefusedChange> {
  let outcome = await planAndWrite({ session, request, places }, signal);
  for (let tries = 1; outcome.status === 'changed' && tries < triesFor(outcome); tries += 1) {
    outcome = await planAndWrite({ session, request, places }, signal);
  }
  if (outcome.status !== 'changed') return outcome;
  const { shown, why, opened } = outcome;
  if (why === undefined) {
    return {
      opened,
      ...refuse('stale', `${shown} is being changed by something else right now. Read it again, then edit.`),
    };
  }
  const end =
    outcome.again === 'never'
      ? 'Whether the edit is in it is not known. Read it before you go on.'
      : 'Nothing was changed; see to the editor, then try again.';
  return { opened, ...refuse('conflict', `${shown}: ${why}. ${end}`) };
}

/** Whoever types elsewhere in a buffer is no reason to give up, but typing may never end. */
function triesFor({ again }: Changed): number {
  if (again === 'never') return 1;
  return again === 'at_once' ? MAX_TYPED_OVER : 2;
}

interface Attempt {
  readonly session: Session;
  readonly request: ChangeRequest;
  readonly places: readonly NamedPlace[];
}

interface Changed {
  readonly status: 'changed';
  readonly shown: string;
  readonly why?: string;
  readonly again?: 'at_once' | 'never';
  readonly opened: readonly FileBefore[];
}

async function planAndWrite(
  { session, request, places }: Attempt,
  signal: AbortSignal | undefined,
): Promise<LandedChange | RefusedChange | Changed> {
  const { root } = session;
  const before = await openFiles(root, { places, made: request.made }, signal);
  const opened = before.all;
  const planned = await request.plan(before, planWith(root.planner, signal));
  if (planned.status === 'refused') return { ...planned, opened };
  const { receipt } = request;
  const staged = await stageFiles(root.store, planned.files, receipt);
  if (staged.status === 'refused') return { ...staged, opened };
  const { steps, plans } = staged;
  if (steps.length === 0) {
    const names = planned.files.map(({ file }) => file.shown).join(', ');
    return { ...refuse('identical', `${names} already has this content. Nothing to do.`), opened };
  }
  signal?.throwIfAborted();
  // Of one file, its write looks by itself.
  if (request.mode === 'plan' || steps.length > 1) await checkSteps(root.store, steps);
  if (request.mode === 'plan') {
    const files = landedFiles(root, plans);
    // Still under the lock: the servers have the present text again before anyone else can write another.
    const report = await checkPlanned(session, { receipt, files }, signal);
    return {
      status: 'landed',
      files,
      opened,
      diagnostics: Promise.resolve(report),
      notes: [],
      undo: { isKept: false, why: 'nothing was changed' },
    };
  }
  const { store, kept } = root;
  const isKeptFirst = planned.files.some(losesUnseen);
  // Of files that name one which comes or goes, servers can say only now what holds before.
  const moved = steps.filter(({ before, after }) => !before || !after).map(({ path }) => path);
  const asked = root.clock.now();
  if (moved.length > 0) await root.diagnostics.lookAhead(moved, session.options.diagnosticsBudgetMs, signal);
  const spentMs = root.clock.now() - asked;
  const written = await commitFiles({ store, kept, receipt, root: root.root, files: steps, isKeptFirst }, signal);
  if (written.status === 'changed') return { ...written, opened };
  noteOwnWrites(
    root,
    steps.map(({ path }) => path),
  );
  const files = landedFiles(root, plans);
  const notes = [
    ...plans.flatMap(({ plan }) => (plan.op === 'write' && plan.note !== undefined ? [plan.note] : [])),
    ...written.lost.map((words) => `note: ${words}`),
    ...rememberLanded(session, { receipt, files }),
  ];
  const diagnostics = checkLanded(session, { receipt, files, spentMs }, signal);
  const undo = written.isRecorded ? UNDO_KEPT : await keepUndo(session, receipt, steps);
  return { status: 'landed', files, opened, diagnostics, notes, undo };
}

const UNDO_KEPT: UndoKept = { isKept: true };

/** The change has landed: where its record can't be kept it can't be undone, which is no reason to call it failed. */
async function keepUndo(session: Session, receipt: string, files: readonly StagedFile[]): Promise<UndoKept> {
  const { kept } = session.root;
  const size = files.reduce(
    (sum, { before, after }) => sum + (before?.bytes.length ?? 0) + (after?.bytes.length ?? 0),
    0,
  );
  if (size > MAX_UNDO_BYTES) return { isKept: false, why: `its contents before and after are ${sizeWords(size)}` };
  try {
    const record = await recordChange(kept.undo, { receipt, files, care: 'plain' });
    await kept.changes.keep(receipt, JSON.stringify(record));
    return UNDO_KEPT;
  } catch (error) {
    return { isKept: false, why: error instanceof Error ? error.message : String(error) };
  }
}

const sizeWords = (bytes: number): string =>
  `${Math.round(bytes / 1024 / 1024)} MB, more than the ${MAX_UNDO_BYTES / 1024 / 1024} MB that are kept of one`;

/** What a refused call saw: without it the journal could not show the refusal again. */
async function keepOpened(session: Session, opened: readonly FileBefore[]): Promise<void> {
  try {
    for (const { found } of opened) {
      if (found && found.bytes.length <= MAX_OPENED_BYTES) await session.root.kept.blobs.put(found.bytes, 'plain');
    }
  } catch {
    // The call is not replayable then, and the replay will say so.
  }
}
