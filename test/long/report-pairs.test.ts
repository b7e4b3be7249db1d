import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionOptions } from '../../src/broker/session.ts';
import { buildReport } from '../../src/hosts/report/build-report.ts';
import { findJournals } from '../../src/hosts/report/find-journals.ts';
import { benchmarkRun } from '../support/benchmark-run.ts';

const CELLS = 5;
const folder = mkdtempSync(join(tmpdir(), 'emend-report-pairs-'));
const from = join(import.meta.dirname, '../../src/hosts/report');

/** Runs of the same seeds, a journal each. */
async function runs(name: string, snippet: SessionOptions['snippet']): Promise<void> {
  for (let seed = 1; seed <= CELLS; seed += 1) {
    const to = join(folder, name, `cell-${seed}`);
    mkdirSync(to, { recursive: true });
    await benchmarkRun({ calls: 30, seed, from, to, misses: 0.12, diagnosticsMs: 0, snippet });
  }
}

async function compared(first: string, second: string) {
  const [against, set] = await Promise.all(
    [first, second].map(async (label) => ({ label, journals: await findJournals([join(folder, label)]) })),
  );
  if (!against || !set) throw new RangeError('two sets were asked for');
  const { comparison } = await buildReport({ set, against, tokens: 'all' });
  // How long calls took is no work of ours here: other programs run on the machine.
  const differences = comparison?.differences.filter(({ key }) => key !== 'meanMs' && key !== 'waitedMs') ?? [];
  return {
    comparison,
    apart: differences.filter(({ difference }) => difference !== 0).map(({ key }) => key),
    differences,
  };
}

beforeAll(async () => {
  await runs('one', 'never');
  await runs('same', 'never');
  await runs('shown', 'always');
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('two series of the same calls with nothing different: no measure differs, no call changed', async () => {
  const { comparison, apart } = await compared('one', 'same');
  expect(comparison).toMatchObject({
    method: 'paired',
    calls: { both: CELLS * 30, changed: 0, onlyFirst: 0, onlySecond: 0 },
  });
  expect(comparison?.differences.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
  // Results name times and folders, so that their tokens may differ by a few.
  expect(apart.filter((key) => key !== 'tokensOut' && key !== 'shownBytes' && key !== 'tokensIn')).toEqual([]);
});

test('the same calls with edits that show their lines: longer results, and nothing else', async () => {
  const { comparison, apart, differences } = await compared('one', 'shown');
  expect(comparison?.calls).toMatchObject({ both: CELLS * 30, changed: 0 });
  expect(differences.filter(({ verdict }) => verdict === 'differs').map(({ key }) => key)).toEqual([
    'tokensOut',
    'shownBytes',
  ]);
  expect(apart.filter((key) => key !== 'tokensIn')).toEqual(['tokensOut', 'shownBytes']);
});
