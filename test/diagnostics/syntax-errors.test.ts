import { expect, onTestFinished, test } from 'vitest';
import type { FileDiagnostic } from '../../src/diagnostics/report.ts';
import { boardRun } from '../support/board-run.ts';
import { QUICK_SERVING_CASES } from '../support/serving-cases.ts';

/** A line that can't be parsed, and of what kind the errors about it are. */
const UNFINISHED = {
  ts: { line: 'export const open = ;\n', code: /^TS1\d{3}$/ },
  py: { line: 'open = (\n', code: /^$/ },
};

test.each(QUICK_SERVING_CASES)(
  'a text that can not be parsed has its own errors only, and none of them stays when it can: $name',
  { timeout: 120_000 },
  async ({ file, project: make, text }) => {
    const project = make();
    const run = boardRun({ root: project.root });
    onTestFinished(async () => {
      await run.board.close();
      project.remove();
    });
    const path = project.path(file);
    const { line, code } = file.endsWith('.py') ? UNFINISHED.py : UNFINISHED.ts;
    const sound = text([]);
    expect(await run.write(path, sound)).toMatchObject({ state: 'fresh', introduced: [] });
    for (let round = 0; round < 3; round++) {
      const broken = await run.write(path, `${sound}${line}`);
      expect(broken).toMatchObject({ state: 'fresh', before: 0, fixed: [], open: [] });
      expect(broken.introduced.length).toBeGreaterThan(0);
      for (const one of broken.introduced) expect(one.code ?? '').toMatch(code);

      const mended = await run.write(path, text([`missing_${round}`]));
      expect(mended).toMatchObject({ state: 'fresh', before: 0, open: [] });
      expect(mended.introduced.map(nameOf)).toEqual([`missing_${round}`]);
      expect(mended.fixed).toHaveLength(broken.introduced.length);
      expect(await run.write(path, sound)).toMatchObject({ state: 'fresh', before: 0, introduced: [], open: [] });
    }
  },
);

function nameOf({ message }: FileDiagnostic): string {
  return /missing_\d+/.exec(message)?.[0] ?? message;
}
