import type { DocumentStore } from '../../workspace/document-store.ts';
import { StoreError } from '../../workspace/document-store.ts';
import type { KeptState } from '../../workspace/kept-state.ts';
import type { ChangedFile, ChangeRecord } from './change-record.ts';
import { keepFirst } from './keep-first.ts';
import { restoreFile } from './restore-file.ts';
import type { StagedFile } from './staged-file.ts';

/** `changed`: the store no longer held what was planned on; nothing was written. */
export type CommitOutcome =
  | {
      readonly status: 'written';
      /** Whether the record that undoes it is kept already. */
      readonly isRecorded: boolean;
    }
  | { readonly status: 'changed'; readonly shown: string; readonly why?: string; readonly again?: 'at_once' | 'never' };

export interface Commit {
  readonly store: DocumentStore;
  readonly kept: KeptState;
  readonly receipt: string;
  readonly files: readonly StagedFile[];
  /** What a single file held is kept before it is touched, as that of several always is. */
  readonly isKeptFirst?: boolean;
}

/**
 * Writes all files or none. Before the first of several is touched, or one whose content nobody else has, what they
 * were and what they become is on the disk: so a failure takes back what was done, when the process dies the next one
 * does, and nothing is lost that can't be brought back.
 * @throws StoreError; then every file is as it was, or the message names those that are not
 */
export async function commitFiles(commit: Commit, signal: AbortSignal | undefined): Promise<CommitOutcome> {
  const [first, second] = commit.files;
  if (!first) return { status: 'written', isRecorded: false };
  // The store writes one file whole or not at all.
  return second || commit.isKeptFirst ? commitKept(commit) : write(commit.store, first, signal);
}

async function commitKept(commit: Commit): Promise<CommitOutcome> {
  const { store, files } = commit;
  const { record, pending } = await keepFirst(commit);
  const takeBack = async (upTo: number, cause: unknown): Promise<void> => {
    await restoreAll(store, { record, files, upTo }, cause);
    // A record that stays finds every file as it was, whenever it is read.
    await pending.drop().catch(() => undefined);
  };
  for (const [index, file] of files.entries()) {
    let outcome: CommitOutcome;
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
  }
  // Every file is written. A record that stays finds them so, and counts as done.
  const isRecorded = await pending.finish().then(
    () => true,
    () => false,
  );
  return { status: 'written', isRecorded };
}

async function write(store: DocumentStore, file: StagedFile, signal: AbortSignal | undefined): Promise<CommitOutcome> {
  const { path, shown, before, after, edits, folders } = file;
  if (!after) {
    if (!before) throw new RangeError(`${path} has no content before and none after`);
    const removed = await store.remove(path, before.content, folders);
    return removed.status === 'written' ? { status: 'written', isRecorded: false } : { ...removed, shown };
  }
  const change = { base: before?.content ?? null, bytes: after.bytes, edits };
  const written = await store.write(path, after.mode === undefined ? change : { ...change, mode: after.mode }, signal);
  return written.status === 'written' ? { status: 'written', isRecorded: false } : { ...written, shown };
}

async function restoreAll(
  store: DocumentStore,
  done: { readonly record: ChangeRecord; readonly files: readonly StagedFile[]; readonly upTo: number },
  cause: unknown,
): Promise<void> {
  const left: string[] = [];
  for (let index = done.upTo; index >= 0; index -= 1) {
    const file: ChangedFile | undefined = done.record.files[index];
    const staged = done.files[index];
    if (!file || !staged) continue;
    try {
      if ((await restoreFile(store, file, staged.before?.bytes)) === 'kept') left.push(staged.shown);
    } catch {
      // The others still have to be put back; this one is named.
      left.push(staged.shown);
    }
  }
  if (left.length === 0) return;
  throw new StoreError(
    'io',
    `the change failed half way, and ${left.join(', ')} could not be put back: someone changed it meanwhile, or the ` +
      'disk refused. Read it before you go on',
    cause,
  );
}
