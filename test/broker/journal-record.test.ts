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

test('a record has what came too late for earlier calls, under their receipts', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const finding = { path: 'a.ts', range, severity: 'error', message: 'wrong' } as const;
  const record = journalRecordOf({
    ...{ emend: '1.0.0', time: '2026-12-02T04:00:00.000Z', root: '/r', session: 's', called: 'Read' },
    ...{ args: 'a'.repeat(64), result: 'b'.repeat(64), looked: [], shownBytes: 100 },
    receipt: {
      ...{ id: 'e4', tool: 'Read', ok: true, ms: 2, files: [] },
      reflow: [{ receipt: 'e2', introduced: [finding, finding], fixed: [] }],
    },
  });
  expect(record.late).toEqual([{ receipt: 'e2', introduced: 2, fixed: 0 }]);
  expect(parseJournalLine(JSON.stringify(record))).toEqual(record);
});
