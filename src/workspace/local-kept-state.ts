import { join } from 'node:path';
import type { KeptState } from './kept-state.ts';
import { createLocalBlobs } from './local-blobs.ts';
import { createLocalChangeRecords } from './local-change-records.ts';
import { createLocalRecordLog } from './local-record-log.ts';
import { keepingIn } from './local-state-errors.ts';

/** The journal of a root lies here, one line a call. */
const JOURNAL_NAME = 'journal.jsonl';

/**
 * What a root keeps, in its folder of the user's state. `owner` names the process that begins changes: this one. What
 * can't be kept is thrown as a `StoreError` that names the folder.
 */
export function openKeptState(folder: string, owner?: string): KeptState {
  const blobs = createLocalBlobs(join(folder, 'blobs'));
  const undo = createLocalBlobs(join(folder, 'undo'), { shownIn: join(folder, 'blobs') });
  const changes = createLocalChangeRecords(join(folder, 'changes'), owner);
  const journal = createLocalRecordLog(join(folder, JOURNAL_NAME));
  return {
    blobs: { ...blobs, put: (bytes, care) => keepingIn(folder, () => blobs.put(bytes, care)) },
    undo: {
      put: (bytes, care) => keepingIn(folder, () => undo.put(bytes, care)),
      // What earlier versions kept lies among the others.
      get: async (hash) => (await undo.get(hash)) ?? blobs.get(hash),
    },
    changes: {
      ...changes,
      begin: (receipt, text) => keepingIn(folder, () => changes.begin(receipt, text)),
      keep: (receipt, text) => keepingIn(folder, () => changes.keep(receipt, text)),
    },
    journal: { ...journal, append: (line) => keepingIn(folder, () => journal.append(line)) },
  };
}
