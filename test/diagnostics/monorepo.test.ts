import { describe, expect, onTestFinished, test } from 'vitest';
import type { FileDiagnostic } from '../../src/diagnostics/report.ts';
import { boardRun } from '../support/board-run.ts';
import { type FixtureProject, fixtureProject, type InstalledTypeScript } from '../support/fixture-project.ts';
import { recordedRun } from '../support/recorded-run.ts';

interface Case {
  readonly name: string;
  readonly program: string;
  readonly project: () => FixtureProject;
  readonly lib: string;
  /** Used by nobody's edit before. */
  readonly unopened: string;
  /** Edited before, so that the server has it open. */
  readonly opened: string;
  readonly comment: readonly [string, string];
  readonly signature: readonly [string, string];
}

const PACKAGE_TSCONFIG = JSON.stringify({
  compilerOptions: { strict: true, target: 'es2022', module: 'nodenext', composite: true, outDir: 'dist', types: [] },
  include: ['src'],
});

const typescript = (name: string, program: string, installed: InstalledTypeScript): Case => ({
  name,
  program,
  project: () =>
    fixtureProject(
      {
        'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
        'packages/lib/package.json': '{ "name": "lib", "type": "module" }',
        'packages/lib/tsconfig.json': PACKAGE_TSCONFIG,
        'packages/lib/src/size.ts': 'export function size(of: number): number {\n  return of;\n}\n',
        'packages/app/package.json': '{ "name": "app", "type": "module" }',
        'packages/app/tsconfig.json': PACKAGE_TSCONFIG.replace(
          '"include"',
          '"references":[{"path":"../lib"}],"include"',
        ),
        'packages/app/src/one.ts': "import { size } from '../../lib/src/size.js';\nexport const one = size(1);\n",
        'packages/app/src/two.ts': "import { size } from '../../lib/src/size.js';\nexport const two = size(2);\n",
      },
      { typescript: installed },
    ),
  lib: 'packages/lib/src/size.ts',
  opened: 'packages/app/src/one.ts',
  unopened: 'packages/app/src/two.ts',
  comment: ['export const one', '// used\nexport const one'],
  signature: ['of: number)', 'of: string)'],
});

const CASES: readonly Case[] = [
  typescript('TypeScript 7', '--lsp', 'typescript-7'),
  typescript('TypeScript 6', 'typescript-language-server', 'typescript'),
  typescript('TypeScript 5.9', 'typescript-language-server', 'typescript-5'),
  {
    name: 'Python',
    program: 'pyright',
    project: () =>
      fixtureProject({
        '.git/HEAD': 'ref: refs/heads/main\n',
        'packages/lib/pyproject.toml': '[project]\nname = "lib"\n',
        'packages/lib/size.py': 'def size(of: int) -> int:\n    return of\n',
        'packages/app/pyproject.toml': '[project]\nname = "app"\n',
        'packages/app/one.py': 'from packages.lib.size import size\n\none = size(1)\n',
        'packages/app/two.py': 'from packages.lib.size import size\n\ntwo = size(2)\n',
      }),
    lib: 'packages/lib/size.py',
    opened: 'packages/app/one.py',
    unopened: 'packages/app/two.py',
    comment: ['one = ', '# used\none = '],
    signature: ['of: int)', 'of: str)'],
  },
];

describe.each(CASES)('two packages of one repository, $name', { timeout: 120_000 }, (one) => {
  test('an edit in one is told what it breaks in the other, opened or not, by one server', async () => {
    const project = one.project();
    const recorded = recordedRun();
    const run = boardRun({ root: project.root, run: recorded.run });
    onTestFinished(async () => {
      await run.board.close();
      project.remove();
    });
    expect(await run.replace(project.path(one.opened), one.comment)).toMatchObject({ state: 'fresh', introduced: [] });
    const broken = await run.replace(project.path(one.lib), one.signature);
    expect(broken).toMatchObject({ state: 'fresh', before: 0, unchecked: 0 });
    expect(pathsOf(broken.introduced)).toEqual(expect.arrayContaining([one.opened, one.unopened]));
    const mended = await run.replace(project.path(one.lib), [one.signature[1], one.signature[0]]);
    expect(mended).toMatchObject({ state: 'fresh', introduced: [], open: [] });
    expect(pathsOf(mended.fixed)).toEqual(expect.arrayContaining([one.opened, one.unopened]));
    expect(recorded.started(one.program)).toHaveLength(1);
  });
});

function pathsOf(diagnostics: readonly FileDiagnostic[]): readonly string[] {
  return diagnostics.map(({ path }) => path);
}
