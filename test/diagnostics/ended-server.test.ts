import { describe, expect, test } from 'vitest';
import type { FileDiagnostic } from '../../src/diagnostics/report.ts';
import { boardRun } from '../support/board-run.ts';
import { recordedRun } from '../support/recorded-run.ts';
import { QUICK_SERVING_CASES } from '../support/serving-cases.ts';

describe.each(QUICK_SERVING_CASES)('$name', { timeout: 120_000 }, ({ file, program, project: make, text }) => {
  test('a server that is killed in the middle of an edit is started again; nothing of it is lost or left', async () => {
    const project = make();
    const recorded = recordedRun();
    const run = boardRun({ root: project.root, run: recorded.run });
    const path = project.path(file);
    try {
      expect(await run.write(path, text(['first']))).toMatchObject({ state: 'fresh', before: 0 });

      const during = run.write(path, text(['first', 'second']), { budgetMs: 400 });
      recorded.kill(program);
      const report = await during;
      expect({ ...report, reason: report.servers[0]?.reason }).toMatchObject({
        ...{ state: 'pending', introduced: [], fixed: [], open: [] },
        reason: expect.stringMatching(/SIGKILL|starting|busy/),
      });

      await run.board.settle('s1', 30_000);
      const [late, ...more] = run.board.takeReflow('s1');
      expect(more).toEqual([]);
      expect(late).toMatchObject({ receipt: 'e2', report: { state: 'fresh', before: 0, fixed: [] } });
      expect(names(late?.report.introduced)).toEqual(['second']);
      expect(run.board.takeReflow('s1')).toEqual([]);

      const next = await run.write(path, text(['first', 'second', 'third']));
      expect(next).toMatchObject({ state: 'fresh', before: 0, fixed: [] });
      expect(names(next.introduced)).toEqual(['third']);
      expect(names(next.open)).toEqual(['first', 'second']);
      expect(recorded.started(program)).toHaveLength(2);
    } finally {
      await run.board.close();
      project.remove();
    }
    expect(await recorded.leftOver(2000)).toEqual([]);
  });
});

function names(diagnostics: readonly FileDiagnostic[] = []): readonly string[] {
  return diagnostics.map(({ message }) => /first|second|third/.exec(message)?.[0] ?? message);
}
