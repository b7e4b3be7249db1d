import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { boardRun } from '../support/board-run.ts';
import { type FixtureProject, fixtureProject, type InstalledTypeScript, TSCONFIG } from '../support/fixture-project.ts';

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly typescript?: InstalledTypeScript;
  readonly main: string;
  /** The folder of the package, and its files for a type of its one value. */
  readonly folder: string;
  readonly text: (type: 'number' | 'string') => Readonly<Record<string, string>>;
}

const MANIFEST = '{ "name": "seven", "version": "1.0.0", "types": "index.d.ts" }';

const typescript = (name: string, installed: InstalledTypeScript): Case => ({
  name,
  files: {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': TSCONFIG,
    'src/main.ts': "import { seven } from 'seven';\n\nexport const eight: number = seven;\n",
  },
  typescript: installed,
  main: 'src/main.ts',
  folder: 'node_modules/seven',
  text: (type) => ({ 'package.json': MANIFEST, 'index.d.ts': `export declare const seven: ${type};\n` }),
});

const SITE = '.venv/lib/python3.12/site-packages';

const CASES: readonly Case[] = [
  typescript('TypeScript 7', 'typescript-7'),
  typescript('TypeScript 6', 'typescript'),
  {
    name: 'Python',
    files: {
      'main.py': 'from seven import seven\n\neight: int = seven\n',
      'pyrightconfig.json': '{ "venvPath": ".", "venv": ".venv" }',
      '.venv/pyvenv.cfg': 'home = /usr/bin\nversion = 3.12.1\n',
      [`${SITE}/other.py`]: '',
    },
    main: 'main.py',
    folder: `${SITE}/seven`,
    text: (type) => ({ '__init__.py': type === 'number' ? 'seven: int = 7\n' : "seven: str = 'seven'\n" }),
  },
];

/** The errors of a file, each time it is looked at. */
async function looking(
  one: Pick<Case, 'files' | 'typescript' | 'main'>,
  work: (project: FixtureProject, errors: () => Promise<number>) => Promise<void>,
): Promise<void> {
  const project = fixtureProject(one.files, one.typescript ? { typescript: one.typescript } : {});
  if (one.main === 'main.py') {
    mkdirSync(project.path('.venv/bin'));
    symlinkSync('/usr/bin/python3', project.path('.venv/bin/python'));
  }
  const run = boardRun({ root: project.root });
  try {
    await work(project, async () => {
      const { state, diagnostics } = await run.board.inspect(run.snapshot(project.path(one.main)), 60_000);
      expect(state).toBe('fresh');
      return diagnostics.length;
    });
  } finally {
    await run.board.close();
    project.remove();
  }
}

describe.each(CASES)('$name', { timeout: 120_000 }, (one) => {
  test('a package that is installed, upgraded and removed is known at the next look', async () => {
    await looking(one, async (project, errors) => {
      const install = (type: 'number' | 'string'): void => {
        rmSync(project.path(one.folder), { recursive: true, force: true });
        for (const [name, text] of Object.entries(one.text(type))) project.write(`${one.folder}/${name}`, text);
      };
      expect(await errors()).toBe(1);
      install('number');
      expect(await errors()).toBe(0);
      install('string');
      expect(await errors()).toBe(1);
      install('number');
      expect(await errors()).toBe(0);
      rmSync(project.path(one.folder), { recursive: true });
      expect(await errors()).toBe(1);
    });
  });
});

test('what npm installs is known, a package that is replaced inside its scope too', { timeout: 120_000 }, async () => {
  const files = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': TSCONFIG,
    'src/main.ts': "import { seven } from '@count/seven';\n\nexport const eight: number = seven;\n",
  };
  await looking({ files, main: 'src/main.ts' }, async (project, errors) => {
    const npm = (...args: readonly string[]): string =>
      execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
        cwd: project.root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    const install = (version: string, type: string): void => {
      const source = `sources/${version}`;
      project.write(`${source}/package.json`, `{"name":"@count/seven","version":"${version}","types":"index.d.ts"}`);
      project.write(`${source}/index.d.ts`, `export declare const seven: ${type};\n`);
      const archive = npm('pack', `./${source}`).trim().split('\n').at(-1);
      npm('install', `./${archive}`);
    };
    expect(await errors()).toBe(1);
    install('1.0.0', 'number');
    expect(await errors()).toBe(0);
    install('2.0.0', 'string');
    expect(await errors()).toBe(1);
    npm('uninstall', '@count/seven');
    expect(await errors()).toBe(1);
    install('1.0.0', 'number');
    expect(await errors()).toBe(0);
  });
});

test.each([
  ['TypeScript 7', 'typescript-7'],
  ['TypeScript 6', 'typescript'],
] as const)('%s: what is put into a scope by hand is known', { timeout: 60_000 }, async (_name, installed) => {
  const files = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': TSCONFIG,
    'src/main.ts': "import { seven } from '@count/seven';\n\nexport const eight: number = seven;\n",
    'node_modules/@count/other/package.json': MANIFEST,
  };
  await looking({ files, typescript: installed, main: 'src/main.ts' }, async (project, errors) => {
    expect(await errors()).toBe(1);
    project.write('node_modules/@count/seven/package.json', MANIFEST);
    project.write('node_modules/@count/seven/index.d.ts', 'export declare const seven: number;\n');
    expect(await errors()).toBe(0);
    rmSync(project.path('node_modules/@count/seven'), { recursive: true });
    expect(await errors()).toBe(1);
  });
});

test('what is installed in another package of the workspace is known, and not put down to an edit', async () => {
  const seven = (type: string): Readonly<Record<string, string>> => ({
    'packages/b/node_modules/seven/package.json': MANIFEST,
    'packages/b/node_modules/seven/index.d.ts': `export declare const seven: ${type};\n`,
  });
  const files = {
    'package.json': '{ "type": "module", "workspaces": ["packages/*"] }',
    'tsconfig.json': TSCONFIG,
    'packages/a/package.json': '{ "type": "module", "name": "a" }',
    'packages/a/lib.ts': 'export const lib: number = 1;\n',
    'packages/b/package.json': '{ "type": "module", "name": "b" }',
    'packages/b/main.ts':
      "import { seven } from 'seven';\nimport { lib } from '../a/lib.js';\n\nexport const all: number[] = [seven, lib];\n",
    ...seven('number'),
  };
  const project = fixtureProject(files, { typescript: 'typescript' });
  const run = boardRun({ root: project.root });
  try {
    expect(await run.replace(project.path('packages/a/lib.ts'), ['number', '1'])).toMatchObject({ introduced: [] });
    rmSync(project.path('packages/b/node_modules/seven'), { recursive: true });
    for (const [name, text] of Object.entries(seven('string'))) project.write(name, text);
    const report = await run.replace(project.path('packages/a/lib.ts'), ['lib: 1', 'lib: number']);
    expect(report).toMatchObject({ state: 'fresh', introduced: [] });
    const { diagnostics } = await run.board.inspect(run.snapshot(project.path('packages/b/main.ts')), 60_000);
    expect(diagnostics.map(({ code }) => code)).toEqual(['TS2322']);
  } finally {
    await run.board.close();
    project.remove();
  }
});

test('a server is left alone while nothing is installed, whatever tools keep beside the packages', async () => {
  const one = typescript('TypeScript 7', 'typescript-7');
  const files = { ...one.files, 'node_modules/.cache/tool.json': '{}' };
  const project = fixtureProject(files, { typescript: 'typescript-7' });
  const run = boardRun({ root: project.root });
  const pid = async (): Promise<number | undefined> => {
    await run.board.inspect(run.snapshot(project.path(one.main)), 60_000);
    return (await run.board.runningServers())[0]?.session?.pid;
  };
  try {
    const before = await pid();
    writeFileSync(project.path('node_modules/.cache/tool.json'), '{ "runs": 2 }');
    writeFileSync(project.path('node_modules/.cache/other.json'), '{}');
    expect(before).toBeDefined();
    expect(await pid()).toBe(before);
  } finally {
    await run.board.close();
    project.remove();
  }
});
