import { renameSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type BoardRun, boardRun } from '../support/board-run.ts';
import { type FixtureProject, fixtureProject, type InstalledTypeScript, TSCONFIG } from '../support/fixture-project.ts';

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly typescript?: InstalledTypeScript;
  readonly main: string;
  readonly lib: string;
  readonly libText: string;
  readonly otherLibText: string;
  readonly moved: string;
  readonly import: readonly [string, string];
}

const typescript = (name: string, installed: InstalledTypeScript): Case => ({
  name,
  files: {
    'tsconfig.json': TSCONFIG,
    'src/main.ts': "import { one } from './lib.js';\n\nexport const two: number = one;\n",
  },
  typescript: installed,
  main: 'src/main.ts',
  lib: 'src/lib.ts',
  libText: 'export const one = 1;\n',
  otherLibText: "export const one = 'one';\n",
  moved: 'src/moved.ts',
  import: ['./lib.js', './moved.js'],
});

const CASES: readonly Case[] = [
  typescript('TypeScript 7', 'typescript-7'),
  typescript('TypeScript 6', 'typescript'),
  {
    name: 'Python',
    files: { 'main.py': 'from lib import one\n\ntwo: int = one\n' },
    main: 'main.py',
    lib: 'lib.py',
    libText: 'one: int = 1\n',
    otherLibText: "one: str = 'one'\n",
    moved: 'moved.py',
    import: ['from lib', 'from moved'],
  },
];

describe.each(CASES)('$name', { timeout: 120_000 }, (one) => {
  /** A board whose watch is we ourselves: what a shell did is told before the next call. */
  async function inProject(
    work: (project: FixtureProject, run: BoardRun, errors: () => Promise<number>) => Promise<void>,
  ): Promise<void> {
    const project = fixtureProject(one.files, one.typescript ? { typescript: one.typescript } : {});
    const run = boardRun({ root: project.root, watch: async () => undefined });
    const errors = async (): Promise<number> => {
      const { state, diagnostics } = await run.board.inspect(run.snapshot(project.path(one.main)), 60_000);
      expect(state).toBe('fresh');
      return diagnostics.length;
    };
    try {
      await work(project, run, errors);
    } finally {
      await run.board.close();
      project.remove();
    }
  }

  test('files that a shell makes, changes, moves and deletes are followed, opened or not', async () => {
    await inProject(async (project, run, errors) => {
      const lib = project.path(one.lib);
      const told = (...names: readonly string[]): Promise<void> => run.board.filesChanged(names.map(project.path));
      expect(await errors()).toBe(1);

      project.write(one.lib, one.libText);
      await told(one.lib);
      expect(await errors()).toBe(0);

      project.write(one.lib, one.otherLibText);
      await told(one.lib);
      expect(await errors()).toBe(1);

      // From here on the server has it open, and goes by our text of it; nobody tells of this change.
      await run.write(lib, `${one.libText}\n`);
      expect(await errors()).toBe(0);
      project.write(one.lib, one.otherLibText);
      expect(await errors()).toBe(1);
      project.write(one.lib, one.libText);
      expect(await errors()).toBe(0);

      renameSync(lib, project.path(one.moved));
      await told(one.lib, one.moved);
      expect(await errors()).toBe(1);
      const mended = await run.replace(project.path(one.main), one.import);
      expect(mended).toMatchObject({ state: 'fresh', before: 0, introduced: [] });
      expect(mended.fixed).toHaveLength(1);

      rmSync(project.path(one.moved));
      await told(one.moved);
      expect(await errors()).toBe(1);
    });
  });

  test('a file that was deleted and made again, or made and deleted, is taken as it is in the end', async () => {
    await inProject(async (project, run, errors) => {
      const lib = project.path(one.lib);
      project.write(one.lib, one.libText);
      expect(await errors()).toBe(0);
      rmSync(lib);
      await run.board.filesChanged([lib]);
      project.write(one.lib, one.libText);
      await run.board.filesChanged([lib]);
      expect(await errors()).toBe(0);
      rmSync(lib);
      await run.board.filesChanged([lib]);
      expect(await errors()).toBe(1);
      project.write(one.lib, one.libText);
      await run.board.filesChanged([lib]);
      rmSync(lib);
      await run.board.filesChanged([lib]);
      expect(await errors()).toBe(1);
    });
  });

  test('what others broke is not blamed on the next edit', async () => {
    await inProject(async (project, run, errors) => {
      project.write(one.lib, one.libText);
      expect(await errors()).toBe(0);
      project.write(one.lib, one.otherLibText);
      await run.board.filesChanged([project.path(one.lib)]);
      const report = await run.replace(project.path(one.main), ['two', 'three']);
      expect(report).toMatchObject({ state: 'fresh', before: 1, introduced: [], fixed: [], open: [] });
    });
  });
});
