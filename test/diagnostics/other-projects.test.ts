import { describe, expect, test } from 'vitest';
import { boardRun } from '../support/board-run.ts';
import { fixtureProject, type InstalledTypeScript } from '../support/fixture-project.ts';

const OPTIONS = { strict: true, target: 'es2022', module: 'nodenext', types: [] };

const part = (...references: readonly string[]): string =>
  JSON.stringify({
    compilerOptions: { ...OPTIONS, composite: true, outDir: 'out' },
    include: ['*.ts'],
    references: references.map((path) => ({ path })),
  });

const REFERENCES = {
  'package.json': '{ "type": "module", "workspaces": ["*"] }',
  'tsconfig.json': '{ "files": [], "references": [{ "path": "lib" }, { "path": "user" }] }',
  'lib/tsconfig.json': part(),
  'user/tsconfig.json': part('../lib'),
};

const LEFT_OUT = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS, include: ['lib'] }),
};

const SOURCES = {
  'lib/size.ts': 'export const size: number = 1;\n',
  'user/main.ts': "import { size } from '../lib/size.js';\n\nexport const used: number = size;\n",
};

/** The server has loaded the project of the edited file only. */
describe('what an edit breaks is told at once', { timeout: 60_000 }, () => {
  test.each<readonly [InstalledTypeScript, string, Readonly<Record<string, string>>]>([
    ['typescript-7', 'a project that refers to its own', REFERENCES],
    ['typescript', 'a project that refers to its own', REFERENCES],
    ['typescript-5', 'a project that refers to its own', REFERENCES],
    ['typescript-7', 'a file that no project takes in', LEFT_OUT],
    ['typescript', 'a file that no project takes in', LEFT_OUT],
    ['typescript-5', 'a file that no project takes in', LEFT_OUT],
  ])('%s: in %s', async (typescript, _what, files) => {
    const project = fixtureProject({ ...files, ...SOURCES }, { typescript });
    const run = boardRun({ root: project.root, timings: { requestMs: 15_000 } });
    try {
      const broken = await run.replace(project.path('lib/size.ts'), ['number = 1', "string = ''"]);
      expect(broken).toMatchObject({ state: 'fresh', unchecked: 0 });
      expect(broken.introduced.map(({ path }) => path)).toEqual(['user/main.ts']);
      const mended = await run.replace(project.path('lib/size.ts'), ["string = ''", 'number = 1']);
      expect(mended).toMatchObject({ state: 'fresh', unchecked: 0, introduced: [] });
      expect(mended.fixed.map(({ path }) => path)).toEqual(['user/main.ts']);
      expect(mended.ms).toBeLessThan(14_000);
    } finally {
      await run.board.close();
      project.remove();
    }
  });
});
