import type { DocumentStore } from '../../workspace/document-store.ts';
import { StoreError } from '../../workspace/document-store.ts';
import type { KeptState } from '../../workspace/kept-state.ts';
import type { ChangeRecord } from './change-record.ts';
import { keepFirst } from './keep-first.ts';
import { movedBy, restoreFile } from './restore-file.ts';
import type { StagedFile } from './staged-file.ts';

/** `changed`: the store no longer held what was planned on; nothing was written. */
type CommitOutcome =
  | {
      readonly status: 'written';
      /** Whether the record that undoes it is kept already. */
      readonly isRecorded: boolean;
      /** What files could not be given, in words. */
      readonly lost: readonly string[];
    }
  | { readonly status: 'changed'; readonly shown: string; readonly why?: string; readonly again?: 'at_once' | 'never' };

interface Commit {
  readonly store: DocumentStore;
  readonly kept: KeptState;
  readonly receipt: string;
  /** Where other names of a file are looked for, if one has to be put back. */
  readonly root: string;
  /** The steps, in the order of doing. */
  readonly files: readonly StagedFile[];
  /** What a single file held is kept before it is touched, as that of several always is. */
  readonly isKeptFirst?: boolean;
}

/**
 * Makes all steps or none. Before the first of several is made, or one that takes away what nobody else has, what they
 * were and what they become is on the disk: so a failure takes back what was done, when the process dies the next one
 * does, and nothing is lost that can't be brought back.
 * @throws StoreError; then every file is as it was, or the message names those that are not
 */
export async function commitFiles(commit: Commit, signal: AbortSignal | undefined): Promise<CommitOutcome> {
  const [first, second] = commit.files;
  if (!first) return { status: 'written', isRecorded: false, lost: [] };
  // The store writes one file whole or not at all.
  if (second || commit.isKeptFirst) return commitKept(commit);
  const outcome = await write(commit.store, first, signal);
  return outcome.status === 'changed' ? outcome : { status: 'written', isRecorded: false, lost: outcome.lost };
}

async function commitKept(commit: Commit): Promise<CommitOutcome> {
  const { store, root, files } = commit;
  const { record, pending } = await keepFirst(commit);
  const takeBack = async (upTo: number, cause: unknown): Promise<void> => {
    await restoreAll(store, { record, files, upTo, root }, cause);
    // A record that stays finds every file as it was, whenever it is read.
    await pending.drop().catch(() => undefined);
  };
  const lost: string[] = [];
  let moved: string | undefined;
  for (const [index, file] of files.entries()) {
    // Some stores can't but move a file: the step that follows is made with it.
    if (moved === file.path && !file.after) continue;
    let outcome: Written;
    try {
      outcome = await write(store, file, undefined);
    } catch (error) {
      // A write that failed may have been done all the same: it is looked at too.
      await takeBack(index, error);
      throw error;
    }
    if (outcome.status === 'changed') {
      await takeBack(index - 1, undefined);
      return outcome;
    }
    lost.push(...outcome.lost);
    moved = outcome.moved;
  }
  // Every file is written. A record that stays finds them so, and counts as done.
  const isRecorded = await pending.finish().then(
    () => true,
    () => false,
  );
  return { status: 'written', isRecorded, lost };
}

type Written =
  | { readonly status: 'written'; readonly lost: readonly string[]; readonly moved?: string }
  | Extract<CommitOutcome, { status: 'changed' }>;

async function write(store: DocumentStore, file: StagedFile, signal: AbortSignal | undefined): Promise<Written> {
  const { path, shown, before, after, edits, folders, origin } = file;
  if (!after) {
    if (!before) throw new RangeError(`${path} has no content before and none after`);
    const removed = await store.remove(path, before.content, folders);
    return removed.status === 'written' ? { status: 'written', lost: [] } : { ...removed, shown };
  }
  const change = { base: before?.content ?? null, edits, ...after, ...(origin && { origin }) };
  const written = await store.write(path, change, signal);
  if (written.status === 'changed') return { ...written, shown };
  const lost = written.lost === undefined ? [] : [`${shown}: ${written.lost}`];
  return { status: 'written', lost, ...(written.isMoved && origin?.kind === 'of' && { moved: origin.path }) };
}

async function restoreAll(
  store: DocumentStore,
  done: {
    readonly record: ChangeRecord;
    readonly files: readonly StagedFile[];
    readonly upTo: number;
    readonly root: string;
  },
  cause: unknown,
): Promise<void> {
  const left = new Set<string>();
  const steps = done.record.files;
  for (let index = done.upTo; index >= 0; index -= 1) {
    const [file, staged] = [steps[index], done.files[index]];
    if (!file || !staged) continue;
    const what = { file, before: staged.before?.bytes, moved: movedBy(steps, index), root: done.root };
    try {
      if ((await restoreFile(store, what)) === 'kept') left.add(staged.shown);
    } catch {
      // The others still have to be put back; this one is named.
      left.add(staged.shown);
    }
  }
  if (left.size === 0) return;
  throw new StoreError(
    'io',
    `the change failed half way, and ${[...left].join(', ')} could not be put back: someone changed it meanwhile, or ` +
      'the disk refused. Read it before you go on',
    cause,
  );
}
