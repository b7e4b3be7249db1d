import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { DiagnosticsReport, FileDiagnostic } from '../../src/diagnostics/report.ts';
import { boardRun } from '../support/board-run.ts';
import { fixtureProject } from '../support/fixture-project.ts';
import { changeModule, generatedModules, type Module, seeded } from '../support/generated-project.ts';
import { processes } from '../support/processes.ts';
import { recordedRun } from '../support/recorded-run.ts';
import { SOAK_LANGUAGES } from '../support/soak-language.ts';

/** A slice: `EMEND_SOAK_EDITS=40 EMEND_SOAK_FILES=30 EMEND_SOAK='TypeScript 7'`. */
const SEED = Number(process.env.EMEND_SEED ?? 1);
const EDITS = Number(process.env.EMEND_SOAK_EDITS ?? 2000);
const FILES = Number(process.env.EMEND_SOAK_FILES ?? 300);
const ONLY = new RegExp(process.env.EMEND_SOAK ?? '');
const CHECKPOINT = 20;

const placeOf = ({ range: { start }, code }: FileDiagnostic): string =>
  `${start.line + 1}:${start.character + 1} ${code}`;

/** Megabytes and number of the processes in these groups. */
function sizeOf(groups: readonly number[]): { readonly count: number; readonly megabytes: number } {
  const own = processes().filter(({ group }) => groups.includes(group));
  const bytes = own.map(({ pid }) => {
    const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  });
  return { count: own.length, megabytes: Math.round(bytes.reduce((sum, one) => sum + one, 0) / 2 ** 20) };
}

/** Edits and a shell change, make, move and delete files in turn; nothing but the kind is drawn here. */
describe.each(SOAK_LANGUAGES.filter(({ name }) => ONLY.test(name)))('a world that changes, in $name', (language) => {
  test(`${EDITS} edits: none is told what is not so, and nothing that was late is lost`, {
    timeout: 7_200_000,
  }, async () => {
    const random = seeded(SEED);
    const modules = new Map<number, Module>(generatedModules(FILES, random).entries());
    const project = fixtureProject(
      {
        ...language.files,
        ...Object.fromEntries([...modules].map(([i, one]) => [language.fileOf(i), language.text(i, one)])),
      },
      language.typescript ? { typescript: language.typescript } : {},
    );
    const recorded = recordedRun();
    const run = boardRun({ root: project.root, run: recorded.run, watch: async () => undefined });
    const bare = await language.bare(project.root);
    const fileOf = (index: number): string => project.path(language.fileOf(index));
    /** Files that the bare client was not told of yet. */
    let touched: string[] = [];
    const owed = new Set<string>();
    let [edits, fresh, shells, next] = [0, 0, 0, FILES];
    const sizes: { readonly count: number; readonly megabytes: number }[] = [];

    const compare = async (index: number, report: DiagnosticsReport): Promise<void> => {
      const path = language.fileOf(index);
      const errors = await bare.errors(path, readFileSync(fileOf(index), 'utf8'), touched);
      touched = [];
      if (report.state !== 'fresh' || report.before === null) return;
      const told = [...report.introduced, ...report.open].filter((one) => one.path === path).map(placeOf);
      const what = `edit ${edits} of ${path}, seed ${SEED}`;
      expect(errors, what).toEqual(expect.arrayContaining(told));
      expect(told.length + report.before, what).toBe(errors.length);
    };
    const write = async (index: number, module: Module): Promise<void> => {
      modules.set(index, module);
      const report = await run.write(fileOf(index), language.text(index, module), { budgetMs: 3000 });
      edits += 1;
      touched.push(language.fileOf(index));
      if (report.state === 'fresh') fresh += 1;
      else owed.add(`e${edits}`);
      await compare(index, report);
    };
    const remove = async (index: number): Promise<void> => {
      modules.delete(index);
      const report = await run.remove(fileOf(index), { budgetMs: 3000 });
      edits += 1;
      touched.push(language.fileOf(index));
      if (report.state === 'fresh') fresh += 1;
      else owed.add(`e${edits}`);
    };
    const shell = async (...indexes: readonly number[]): Promise<void> => {
      shells += 1;
      touched.push(...indexes.map(language.fileOf));
      await run.board.filesChanged(indexes.map(fileOf));
    };

    try {
      await run.board.inspect(run.snapshot(fileOf(0)), 300_000);
      let checkpoint = CHECKPOINT;
      while (edits < EDITS) {
        const present = [...modules.keys()];
        const index = present[random.next(present.length)] ?? 0;
        const module = modules.get(index);
        if (!module) throw new Error('every module is gone');
        const changed = changeModule(module, random);
        const what = random.next(24);
        const gone = Array.from({ length: next }, (_, i) => i).filter((i) => !modules.has(i));
        const back = gone[random.next(Math.max(1, gone.length))];
        if (what === 0 && present.length > FILES / 2) await remove(index);
        else if (what === 1) await write(back ?? next++, module);
        else if (what === 2) {
          const to = back ?? next++;
          await write(to, module);
          await remove(index);
        } else if (what === 3) {
          modules.set(index, changed);
          writeFileSync(fileOf(index), language.text(index, changed));
          await shell(index);
        } else if (what === 4) {
          const to = back ?? next++;
          modules.set(to, module);
          writeFileSync(fileOf(to), language.text(to, module));
          await shell(to);
        } else if (what === 5 && present.length > FILES / 2) {
          const to = back ?? next++;
          modules.delete(index);
          modules.set(to, module);
          renameSync(fileOf(index), fileOf(to));
          await shell(index, to);
        } else if (what === 6 && present.length > FILES / 2) {
          modules.delete(index);
          rmSync(fileOf(index));
          await shell(index);
        } else if (language.text(index, changed) !== language.text(index, module)) await write(index, changed);
        if (edits < checkpoint) continue;
        checkpoint = edits + CHECKPOINT;
        await run.board.settle('s1', 60_000);
        for (const late of run.board.takeReflow('s1')) owed.delete(late.receipt);
        expect([...owed], 'what was late came').toEqual([]);
        const told: string[] = [];
        for (const one of [...modules.keys()]) {
          const state = await run.board.inspect(run.snapshot(fileOf(one)), 60_000);
          expect(state.state).toBe('fresh');
          told.push(...state.diagnostics.map((item) => `${item.path} ${placeOf(item)}`));
        }
        expect(told.sort(), `after ${edits} edits, seed ${SEED}`).toEqual(language.compiled(project.root));
        sizes.push(sizeOf(recorded.started(language.program).map(Number)));
      }
    } finally {
      const [early, late] = [sizes[Math.floor(sizes.length / 4)], sizes.at(-1)];
      console.log(
        `${language.name}: ${edits} edits, ${shells} by a shell, ${fresh} fresh at once (${((100 * fresh) / edits).toFixed(1)} %), ` +
          `${sizes.length} checkpoints, ${early?.count} processes of ${early?.megabytes} MB, at the end ${late?.count} of ${late?.megabytes} MB`,
      );
      bare.stop();
      await run.board.close();
      project.remove();
    }
    expect(fresh / edits).toBeGreaterThanOrEqual(0.95);
    const [early, late] = [sizes[Math.floor(sizes.length / 4)], sizes.at(-1)];
    expect(late?.count).toBe(early?.count);
    expect(late?.megabytes ?? 0).toBeLessThan(1.5 * (early?.megabytes ?? 0) + 50);
  });
});
