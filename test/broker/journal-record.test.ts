import { expect, test } from 'vitest';
import { journalRecordOf, parseJournalLine } from '../../src/broker/journal-record.ts';
import type { ServerAnswer } from '../../src/diagnostics/report.ts';

const SERVERS: readonly ServerAnswer[] = [
  { name: 'typescript', version: '5.9.3', state: 'fresh', waitedMs: 31 },
  { name: 'pyright', version: null, state: 'pending', reason: 'loading', sinceMs: 4000, waitedMs: 3000 },
  { name: 'eslint', version: null, state: 'unavailable', reason: 'it is not installed' },
];

test('a record has how long each server was waited for, and reads back as it was written', () => {
  const record = journalRecordOf({
    ...{ emend: '1.0.0', time: '2026-12-02T04:00:00.000Z', root: '/r', session: 's', called: 'Edit' },
    ...{ args: 'a'.repeat(64), result: 'b'.repeat(64), looked: [], shownBytes: 100 },
    receipt: {
      ...{ id: 'e1', tool: 'Edit', ok: true, ms: 3012, files: [] },
      diagnostics: {
        ...{ state: 'pending', ms: 3000, before: 0, unchecked: 0, introduced: [], fixed: [], open: [] },
        servers: SERVERS,
      },
    },
  });
  expect(record.diagnostics?.servers).toEqual([
    { name: 'typescript', version: '5.9.3', state: 'fresh', waited_ms: 31 },
    { name: 'pyright', version: null, state: 'pending', waited_ms: 3000 },
    // It was never asked.
    { name: 'eslint', version: null, state: 'unavailable' },
  ]);
  expect(parseJournalLine(JSON.stringify(record))).toEqual(record);
});
