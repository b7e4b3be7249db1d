import { type DocumentStore, StoreError } from '../../workspace/document-store.ts';
import type { KeptState } from '../../workspace/kept-state.ts';
import type { PathLocks } from '../../workspace/path-locks.ts';
import { type ChangeRecord, parseChangeRecord } from './change-record.ts';
import { restoreFile, stateOf } from './restore-file.ts';

/**
 * Ends what processes that died had begun: a change whose files are all written counts as done; of any other, the files
 * that it wrote are taken back. A file that is neither what it was nor what the change made it was saved by someone
 * since, and is left alone.
 */
export async function recoverChanges(root: {
  readonly store: DocumentStore;
  readonly locks: PathLocks;
  readonly kept: KeptState;
}): Promise<void> {
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
async function settle(
  { store, kept }: { readonly store: DocumentStore; readonly kept: KeptState },
  record: ChangeRecord,
): Promise<'done' | 'undone' | 'open'> {
  try {
    const states = await Promise.all(record.files.map((file) => stateOf(store, file)));
    if (states.every(({ is }) => is !== 'before')) return 'done';
    for (const file of [...record.files].reverse()) {
      const before = file.before ? await kept.blobs.get(file.before.sha256) : undefined;
      await restoreFile(store, file, before);
    }
    return 'undone';
  } catch (error) {
    if (error instanceof StoreError) return 'open';
    throw error;
  }
}
