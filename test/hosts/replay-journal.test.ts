import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseJournalLine } from '../../src/broker/journal-record.ts';
import type { Blobs } from '../../src/workspace/kept-state.ts';
import { type JournaledRun, journaledRun, replayAll, replayed } from '../support/journaled-run.ts';

const CALLS = 100;

let run: JournaledRun;
beforeAll(async () => {
  run = await journaledRun(CALLS, 20261202);
});
afterAll(() => run.room.close());

describe('a journal', () => {
  test('has a line for each call, that only its owner can read', () => {
    const { records, journal } = run;
    expect(records).toHaveLength(CALLS);
    expect(statSync(journal).mode & 0o777).toBe(0o600);
    expect(records.filter(({ ok }) => !ok).length).toBeGreaterThan(5);
    expect(records.filter(({ files }) => files.length > 1).length).toBeGreaterThan(2);
    expect(new Set(records.map(({ session }) => session))).toEqual(new Set(['one', 'two']));
  });

  test('runs again on a fresh tree with the same outcomes and the same contents in the end', async () => {
    const { others, stray, unexplained, same } = await replayAll(run);
    expect({ others, stray, unexplained }).toEqual({ others: [], stray: [], unexplained: [] });
    expect(same).toBe(CALLS);
  });

  test('shows the one call that was changed on purpose', async () => {
    const { records, blobs } = run;
    const at = records.findIndex(({ called, ok }) => called === 'Edit' && ok);
    const record = records[at];
    if (!record) throw new Error('there is an Edit');
    const args = JSON.parse(Buffer.from((await blobs.get(record.args)) ?? '').toString()) as Record<string, string>;
    const text = JSON.stringify({ ...args, new_string: `${args.new_string} otherwise` });
    const changed = { ...record, args: await blobs.put(Buffer.from(text), 'plain') };
    const { outcomes } = await replayed([...records.slice(0, at), changed], blobs);
    expect(outcomes.slice(0, at).every(({ status }) => status === 'same')).toBe(true);
    expect(outcomes[at]).toMatchObject({
      status: 'differs',
      differences: [expect.stringMatching(/: content after [0-9a-f]{12} then, [0-9a-f]{12} now$/)],
    });
  });

  test('names calls whose contents have fallen out', async () => {
    const none: Blobs = { put: async () => '', get: async () => undefined };
    const { outcomes } = await replayed(run.records.slice(0, 3), none);
    for (const outcome of outcomes)
      expect(outcome).toEqual({ status: 'not replayable', why: 'its arguments are not kept any more' });
  });
});

test.each(['', '{"format":1', '{"format":2}', 'null'])('a line that is no record is none: %s', (line) => {
  expect(parseJournalLine(line)).toBeUndefined();
});
