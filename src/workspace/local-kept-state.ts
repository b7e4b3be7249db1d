import { join } from 'node:path';
import type { KeptState } from './kept-state.ts';
import { createLocalBlobs } from './local-blobs.ts';
import { createLocalChangeRecords } from './local-change-records.ts';
import { createLocalRecordLog } from './local-record-log.ts';

/** The journal of a root lies here, one line a call. */
export const JOURNAL_NAME = 'journal.jsonl';

/** What a root keeps, in its folder of the user's state. `owner` names the process that begins changes: this one. */
export function openKeptState(folder: string, owner?: string): KeptState {
  return {
    blobs: createLocalBlobs(join(folder, 'blobs')),
    changes: createLocalChangeRecords(join(folder, 'changes'), owner),
    journal: createLocalRecordLog(join(folder, JOURNAL_NAME)),
  };
}
