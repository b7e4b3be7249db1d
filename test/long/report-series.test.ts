import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { count } from '../../src/workspace/truncation.ts';
import { benchmarkRun } from '../support/benchmark-run.ts';
import { CLI } from '../support/emend.ts';
import { journalSeries } from '../support/journal-series.ts';

const MEASURED = `process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stderr.write('\\nmeasured ' + JSON.stringify({ maxRSS, cpuMs: (userCPUTime + systemCPUTime) / 1000 }));
})`;

/** The built command, as users run it, with what it took. */
async function measuredReport(journals: readonly string[], output: string) {
  const { stderr } = await execa(process.execPath, [
    ...['--import', `data:text/javascript,${encodeURIComponent(MEASURED)}`],
    ...[CLI, 'report', ...journals, '-o', output],
  ]);
  expect(stderr).toContain(`${count(journals.length * 500)} calls`);
  const { maxRSS, cpuMs } = JSON.parse(stderr.slice(stderr.lastIndexOf('measured ') + 9));
  return { journals: journals.length, mb: maxRSS / 1024, cpuMs };
}

test('1,000 journals of 500 calls are summed in 256 MB, in a time that grows no faster than their number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'emend-report-series-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const base = join(folder, 'base');
  const from = join(import.meta.dirname, '../../src');
  await benchmarkRun({ calls: 500, seed: 3, from, to: base, misses: 0.12, diagnosticsMs: 0 });
  journalSeries({ base, to: folder, count: 1000, seed: 1 });
  const cells = Array.from({ length: 1000 }, (_, cell) => join(folder, `cell-${String(cell + 1).padStart(4, '0')}`));
  const measured = [];
  for (const count of [250, 500, 1000]) {
    const one = await measuredReport(cells.slice(0, count), join(folder, 'report.html'));
    console.log(`${one.journals} journals: ${one.mb.toFixed(0)} MB, ${(one.cpuMs / 1000).toFixed(1)} s of CPU`);
    measured.push(one);
  }
  const [some = { cpuMs: 0 }, , all = { cpuMs: 0 }] = measured;
  for (const { mb } of measured) expect(mb).toBeLessThanOrEqual(256);
  expect(all.cpuMs).toBeLessThan(4.5 * some.cpuMs);
});
