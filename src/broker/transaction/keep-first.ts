import { StoreError } from '../../workspace/document-store.ts';
import type { KeptState, PendingRecord } from '../../workspace/kept-state.ts';
import { type ChangeRecord, recordChange } from './change-record.ts';
import type { StagedFile } from './staged-file.ts';

/**
 * Puts on the disk what files are and what they become, before the first of them is touched.
 * @throws StoreError that says what could not be kept, and why
 */
export async function keepFirst(change: {
  readonly kept: KeptState;
  readonly receipt: string;
  readonly files: readonly StagedFile[];
}): Promise<{ readonly record: ChangeRecord; readonly pending: PendingRecord }> {
  const { kept, receipt, files } = change;
  try {
    const record = await recordChange(kept.undo, { receipt, files, care: 'durable' });
    return { record, pending: await kept.changes.begin(receipt, JSON.stringify(record)) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const names = [...new Set(files.map(({ shown }) => shown))].join(', ');
    const why = `No file was changed: what ${names} held must be kept first, so that it can be brought back, and`;
    throw new StoreError(error.code, `${why} ${error.message}`, error);
  }
}
