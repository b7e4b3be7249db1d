import { dirname } from 'node:path';
import { type DocumentStore, StoreError } from '../../workspace/document-store.ts';
import type { KeptState } from '../../workspace/kept-state.ts';
import type { PathLocks } from '../../workspace/path-locks.ts';
import { type ChangedFile, type ChangeRecord, parseChangeRecord } from './change-record.ts';
import { netFiles } from './net-change.ts';
import { movedBy, restoreFile, stateOf } from './restore-file.ts';

/** A root whose interrupted changes are taken back. */
export interface RecoveredRoot {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly store: DocumentStore;
  readonly kept: KeptState;
}

/**
 * Ends what processes that died had begun: a change whose files are all written counts as done; of any other, the files
 * that it wrote are taken back. A file that is neither what it was nor what the change made it was saved by someone
 * since, and is left alone.
 */
export async function recoverChanges(root: RecoveredRoot & { readonly locks: PathLocks }): Promise<void> {
  for (const pending of await root.kept.changes.interrupted()) {
    const record = parseChangeRecord(pending.text);
    if (!record) continue;
    const paths = record.files.map(({ path }) => path);
    await root.locks.withPathLocks(paths, undefined, async () => {
      // Another process may have seen to it while this one waited.
      const open = await root.kept.changes.interrupted();
      if (!open.some(({ text }) => text === pending.text)) return;
      const end = await settle(root, record);
      if (end === 'done') await pending.finish();
      if (end === 'undone') await pending.drop();
    });
  }
}

/** `open`: a file could not be read or written; the next start tries again. */
async function settle({ root, store, kept }: RecoveredRoot, record: ChangeRecord): Promise<'done' | 'undone' | 'open'> {
  const steps = record.files;
  // Where a file only waits for its name there is nothing at either end.
  const lasting = new Set(netFiles(record).map(({ path }) => path));
  try {
    const states = await Promise.all(steps.map((file) => stateOf(store, file)));
    if (states.every(({ is }, index) => is !== 'before' || isArrival(steps[index], lasting))) {
      // The last file may have got its name just before its writer lost the one that it was made under.
      for (const folder of new Set(steps.map(({ path }) => dirname(path)))) await store.tidy?.(folder);
      return 'done';
    }
    for (const [index, file] of [...steps.entries()].reverse()) {
      const before = file.before ? await kept.undo.get(file.before.sha256) : undefined;
      await restoreFile(store, { file, before, moved: movedBy(steps, index), root });
    }
    return 'undone';
  } catch (error) {
    if (error instanceof StoreError) return 'open';
    throw error;
  }
}

function isArrival(step: ChangedFile | undefined, lasting: ReadonlySet<string>): boolean {
  return step?.after !== null && step !== undefined && !lasting.has(step.path);
}
