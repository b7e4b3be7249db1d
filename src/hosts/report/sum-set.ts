import { createHash } from 'node:crypto';
import type { JournalRecord } from '../../broker/journal-record.ts';
import { blobsFolderOf } from '../replay-journal.ts';
import { callRefOf } from './call-list.ts';
import { readCallText } from './call-texts.ts';
import { type CellMeasures, createCellMeasures } from './cell-measures.ts';
import type { createChangedCalls } from './changed-calls.ts';
import type { Cell } from './compare-cells.ts';
import { cellName, type FoundJournal } from './find-journals.ts';
import { readJournal } from './read-journal.ts';
import type { createRunSummary } from './run-summary.ts';
import type { TokenMeter } from './token-meter.ts';

/** What the calls of a journal are summed into. */
interface JournalSums {
  readonly summary: ReturnType<typeof createRunSummary>;
  readonly tokens: TokenMeter;
  /** Where two runs are compared call by call: this one's part in it. */
  readonly changes?: { readonly calls: ReturnType<typeof createChangedCalls>; readonly side: 'first' | 'second' };
}

/** Reads one journal into sums that others go into too, and returns its own figures. A file that can't be read is counted. */
export async function sumJournal(
  { name, files }: Pick<FoundJournal, 'name' | 'files'>,
  journal: number,
  { summary, tokens, changes }: JournalSums,
): Promise<Cell> {
  const cell = createCellMeasures();
  let before = 0;
  for (const file of files) {
    const blobs = blobsFolderOf(file);
    let last = 0;
    try {
      for await (const read of readJournal(file)) {
        last = read.line;
        if (read.kind === 'skipped') {
          summary.skip(read.why);
          continue;
        }
        const { record } = read;
        const ref = callRefOf(record, { cell: cellName(name), journal, line: before + read.line });
        const cost = await tokens.of(record, blobs);
        for (const calls of summary.add(record, ref, cost)) cell.recovered(calls);
        cell.add(record, typeof cost === 'string' ? undefined : cost);
        if (changes) changes.calls[changes.side](await callKey(record, blobs), record, ref);
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      // The file can't be read (any further): the page says so, and what was read counts.
      summary.skip('unreadable');
    }
    before += last;
  }
  summary.endJournal();
  const measures: CellMeasures = cell.result();
  return { name, measures };
}

/** One for calls of the same tool with the same arguments, wherever their roots lie. */
async function callKey(record: JournalRecord, blobs: string): Promise<string> {
  const kept = await readCallText(blobs, record.args);
  const text = kept === undefined ? record.args : kept.text.replaceAll(JSON.stringify(record.root).slice(1, -1), '.');
  return createHash('sha1')
    .update(`${record.called}\0${text.replaceAll('"./', '"')}`)
    .digest('base64');
}
