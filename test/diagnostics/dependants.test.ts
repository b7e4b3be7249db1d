import { describe, expect, test } from 'vitest';
import type { FileDiagnostic } from '../../src/diagnostics/report.ts';
import { boardRun } from '../support/board-run.ts';
import { type FixtureProject, fixtureProject, type InstalledTypeScript, TSCONFIG } from '../support/fixture-project.ts';

interface Case {
  readonly name: string;
  readonly project: () => FixtureProject;
  readonly lib: string;
  readonly user: string;
  readonly signature: readonly [string, string];
  readonly body: readonly [string, string];
  readonly rename: readonly [string, string];
  readonly mendUser: readonly [string, string];
}

const typescript = (name: string, installed: InstalledTypeScript): Case => ({
  name,
  project: () =>
    fixtureProject(
      {
        'tsconfig.json': TSCONFIG,
        'src/lib.ts': 'export function size(of: number): number {\n  return of * 2;\n}\n',
        'src/user.ts': "import { size } from './lib.js';\n\nexport const two = size(1);\n",
        // Mentions it too, and has an error of its own that no edit made.
        'src/old.ts':
          "import { size } from './lib.js';\n\nexport const old: string = typeof size === 'function' ? 1 : 2;\n",
        'src/other.ts': 'export const other = 1;\n',
      },
      { typescript: installed },
    ),
  lib: 'src/lib.ts',
  user: 'src/user.ts',
  signature: ['of: number)', 'of: string)'],
  body: ['return of * 2', 'return of * 3'],
  rename: ['function size', 'function sized'],
  mendUser: ['{ size }', '{ sized as size }'],
});

const CASES: readonly Case[] = [
  typescript('TypeScript 7', 'typescript-7'),
  typescript('TypeScript 6', 'typescript'),
  typescript('TypeScript 5.9', 'typescript-5'),
  {
    name: 'Python',
    project: () =>
      fixtureProject({
        'lib.py': 'def size(of: int) -> int:\n    return of * 2\n',
        'user.py': 'from lib import size\n\ntwo = size(1)\n',
        'old.py': 'from lib import size\n\nold: str = 1 if size else 2\n',
        'other.py': 'other = 1\n',
      }),
    lib: 'lib.py',
    user: 'user.py',
    signature: ['of: int)', 'of: str)'],
    body: ['return of * 2', 'return of * 3'],
    rename: ['def size', 'def sized'],
    mendUser: ['import size', 'import sized as size'],
  },
];

const paths = (diagnostics: readonly FileDiagnostic[]): readonly string[] => diagnostics.map(({ path }) => path);

describe.each(CASES)(
  '$name',
  { timeout: 120_000 },
  ({ project: make, lib, user, signature, body, rename, mendUser }) => {
    test('an edit is told what it broke and mended in files that nobody opened, and nothing else of them', async () => {
      const project = make();
      const run = boardRun({ root: project.root });
      try {
        const clean = await run.replace(project.path(lib), body);
        expect(clean).toMatchObject({ state: 'fresh', before: 0, unchecked: 0, introduced: [], open: [] });

        const broken = await run.replace(project.path(lib), signature);
        expect(broken).toMatchObject({ state: 'fresh', before: 0, unchecked: 0, fixed: [], open: [] });
        expect(paths(broken.introduced.filter(({ path }) => path !== lib))).toEqual([user]);

        const still = await run.replace(project.path(lib), [body[1], body[0]]);
        expect(paths(still.introduced)).toEqual([]);
        expect(paths(still.open)).toContain(user);

        const mended = await run.replace(project.path(lib), [signature[1], signature[0]]);
        expect(mended).toMatchObject({ state: 'fresh', unchecked: 0, introduced: [], open: [] });
        expect(paths(mended.fixed)).toContain(user);

        const renamed = await run.replace(project.path(lib), rename);
        expect(paths(renamed.introduced)).toEqual(expect.arrayContaining([user]));
        const followed = await run.replace(project.path(user), mendUser);
        expect(followed).toMatchObject({ state: 'fresh', introduced: [] });
        expect(paths(followed.fixed)).toContain(user);
      } finally {
        await run.board.close();
        project.remove();
      }
    });
  },
);
