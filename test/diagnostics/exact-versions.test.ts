import { describe, expect, test } from 'vitest';
import type { DiagnosticsReport, FileDiagnostic } from '../../src/diagnostics/report.ts';
import { boardRun } from '../support/board-run.ts';
import { QUICK_SERVING_CASES } from '../support/serving-cases.ts';

/** The names that version `n` lacks: none, one, two or three, never those of another version. */
const missingIn = (n: number): readonly string[] => Array.from({ length: n % 4 }, (_, i) => `missing_${n}_${i}`);

describe.each(QUICK_SERVING_CASES)('$name', { timeout: 120_000 }, ({ file, project: make, text }) => {
  test('each of 50 edits in a row is answered for the version just written, and so is a flood of them', async () => {
    const project = make();
    const run = boardRun({ root: project.root });
    const path = project.path(file);
    try {
      for (let n = 1; n <= 50; n++) {
        const report = await run.write(path, text(missingIn(n)));
        expect(report).toMatchObject({ state: 'fresh', before: 0 });
        expect(names([...report.introduced, ...report.open])).toEqual(missingIn(n));
        expect(names(report.fixed)).toEqual(missingIn(n - 1));
      }
      const flood = Array.from({ length: 50 }, (_, i) => run.write(path, text(missingIn(i + 51))));
      const reports = await Promise.all(flood);
      for (const report of reports) expectOneVersion(report);
      expect(names(reports.at(-1)?.introduced ?? [])).toEqual(missingIn(100));
      expect(names((await run.board.inspect(run.snapshot(path), 10_000)).diagnostics)).toEqual(missingIn(100));
    } finally {
      await run.board.close();
      project.remove();
    }
  });
});

/** Everything that is said to stand now is of one and the same version. */
function expectOneVersion(report: DiagnosticsReport): void {
  expect(report.state).toBe('fresh');
  const now = names([...report.introduced, ...report.open]);
  const version = Number(/missing_(\d+)_/.exec(now[0] ?? '')?.[1] ?? 52);
  expect(now).toEqual(missingIn(version));
}

function names(diagnostics: readonly FileDiagnostic[]): readonly string[] {
  return diagnostics.map(({ message }) => /missing_\d+_\d+/.exec(message)?.[0] ?? message);
}
