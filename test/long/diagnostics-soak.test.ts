import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DiagnosticsReport, FileDiagnostic } from '../../src/diagnostics/report.ts';
import { boardRun } from '../support/board-run.ts';
import { changeModule, generatedModules, generatedProject, moduleText, seeded } from '../support/generated-project.ts';
import { recordedRun } from '../support/recorded-run.ts';

const SEED = Number(process.env.EMEND_SEED ?? 1);
const MINUTES = Number(process.env.EMEND_MINUTES ?? 1);
const FILES = 300;
const CHECKPOINT = 20;

/** What a fresh compiler says of the project as it stands. */
function compiled(root: string): readonly string[] {
  const tsc = join(import.meta.dirname, '../../node_modules/typescript-7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', root], { encoding: 'utf8', cwd: root });
  return [...stdout.matchAll(/^(\S+?)\((\d+),(\d+)\): error (TS\d+)/gm)]
    .map(([, path, line, column, code]) => `${path} ${line}:${column} ${code}`)
    .sort();
}

const nameOf = ({ path, range: { start }, code }: FileDiagnostic): string =>
  `${path} ${start.line + 1}:${start.character + 1} ${code}`;

describe.each(['typescript-7', 'typescript', 'typescript-5'] as const)('a random walk with %s', (typescript) => {
  test('what edits were told adds up to what a fresh compiler says', async () => {
    const random = seeded(SEED);
    const modules = generatedModules(FILES, random);
    const project = generatedProject(modules, typescript);
    const recorded = recordedRun();
    const run = boardRun({ root: project.root, run: recorded.run });
    expect(compiled(project.root)).toEqual([]);
    /** The errors that an agent knows of from the reports alone, by file. */
    const known = new Map<string, Set<string>>();
    const take = (report: DiagnosticsReport): void => {
      for (const item of report.fixed) known.get(item.path)?.clear();
      const stand = [...report.introduced, ...report.open];
      for (const path of new Set(stand.map((item) => item.path))) known.set(path, new Set());
      for (const item of stand) known.get(item.path)?.add(nameOf(item));
    };
    const deadline = performance.now() + (MINUTES * 60_000) / 3;
    let edits = 0;
    let fresh = 0;
    try {
      await run.board.inspect(run.snapshot(project.path('src/m0.ts')), 300_000);
      while (performance.now() < deadline || edits < 60) {
        const index = random.next(FILES);
        const before = modules[index];
        if (!before) continue;
        const after = changeModule(before, random);
        if (moduleText(index, before) === moduleText(index, after)) continue;
        modules[index] = after;
        const report = await run.write(project.path(`src/m${index}.ts`), moduleText(index, after), {
          budgetMs: 20_000,
        });
        edits++;
        if (report.state === 'fresh' && report.unchecked === 0) fresh++;
        expect(report.before).toBe(0);
        take(report);
        if (edits % CHECKPOINT !== 0) continue;
        await run.board.settle('s1', 60_000);
        for (const late of run.board.takeReflow('s1')) take(late.report);
        const told = [...known.values()].flatMap((names) => [...names]).sort();
        expect(told, `after ${edits} edits, seed ${SEED}`).toEqual(compiled(project.root));
      }
    } finally {
      console.log(`${typescript}: ${edits} edits, ${fresh} fresh at once (${((100 * fresh) / edits).toFixed(1)} %)`);
      await run.board.close();
      project.remove();
    }
    expect(recorded.started('tsc --lsp').length + recorded.started('typescript-language-server').length).toBe(1);
    expect(fresh / edits).toBeGreaterThanOrEqual(0.95);
  });
});
