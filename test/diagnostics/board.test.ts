import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileDiagnostic } from '../../src/diagnostics/report.ts';
import { type BoardRun, boardRun } from '../support/board-run.ts';
import { type FixtureProject, fixtureProject, type InstalledTypeScript, TSCONFIG } from '../support/fixture-project.ts';

const TYPESCRIPT = {
  'tsconfig.json': TSCONFIG,
  'src/a.ts': 'export const a: number = 1;\nconst old: string = 2;\n',
};
const PYTHON = { 'src/a.py': 'def a(x: int) -> str:\n    return "a"\n\n\nold: str = 2\n' };

interface Case {
  readonly name: string;
  readonly server: string;
  readonly files: Readonly<Record<string, string>>;
  readonly typescript?: InstalledTypeScript;
  readonly path: string;
  /** What breaks and what mends the first line or so, and the broken place, 0-based. */
  readonly breaks: readonly [string, string];
  readonly mends: readonly [string, string];
  readonly at: { readonly line: number; readonly character: number };
  readonly code: string;
  readonly comment: readonly [string, string];
}

const ts = (name: string, server: string, typescript?: InstalledTypeScript): Case => ({
  name,
  server,
  files: TYPESCRIPT,
  ...(typescript ? { typescript } : {}),
  path: 'src/a.ts',
  breaks: ['number = 1', "number = 'é😀'"],
  mends: ["number = 'é😀'", 'number = 3'],
  at: { line: 0, character: 13 },
  code: 'TS2322',
  comment: ['export', '// 😀\n/* é😀 */ export'],
});

const CASES: readonly Case[] = [
  ts('a project without TypeScript', 'typescript-native 7.0.2'),
  ts('a project with TypeScript 7', 'typescript-native 7.0.2', 'typescript-7'),
  ts('a project with TypeScript 6', 'typescript-language-server 5.3.0', 'typescript'),
  ts('a project with TypeScript 5.9', 'typescript-language-server 5.3.0', 'typescript-5'),
  {
    name: 'a Python project',
    server: 'pyright 1.1.414',
    files: PYTHON,
    path: 'src/a.py',
    breaks: ['return "a"', 'return 1'],
    mends: ['return 1', 'return "b"'],
    at: { line: 1, character: 11 },
    code: 'reportReturnType',
    comment: ['def a', '# 😀\ndef a'],
  },
];

describe.each(CASES)('$name', { timeout: 120_000 }, ({ server, files, typescript, path: name, ...edit }) => {
  let project: FixtureProject;
  let run: BoardRun;
  let path: string;

  beforeAll(() => {
    project = fixtureProject(files, typescript ? { typescript } : {});
    run = boardRun({ root: project.root });
    path = project.path(name);
  });
  afterAll(async () => {
    await run.board.close();
    project.remove();
  });

  test('an edit is told what it broke, keeps being told, and is told when it is mended', async () => {
    const broken = await run.replace(path, edit.breaks);
    expect(broken).toMatchObject({ state: 'fresh', before: 1, unchecked: 0, fixed: [], open: [] });
    expect(broken.introduced.map(shape)).toEqual([`${name} ${edit.at.line}:${edit.at.character} error ${edit.code}`]);
    expect(broken.servers.map((one) => `${one.name} ${one.version}`)).toEqual([server]);

    const moved = await run.replace(path, edit.comment);
    expect(moved).toMatchObject({ state: 'fresh', before: 1, introduced: [], fixed: [] });
    expect(moved.open.map((one) => one.range.start.line)).toEqual([edit.at.line + 1]);

    const mended = await run.replace(path, edit.mends);
    expect(mended).toMatchObject({ state: 'fresh', before: 1, introduced: [], open: [] });
    expect(mended.fixed).toEqual(moved.open);

    const clean = await run.replace(path, ['old: str', 'older: str']);
    expect(clean).toMatchObject({ state: 'fresh', introduced: [], fixed: [], open: [] });

    const inspected = await run.board.inspect(run.snapshot(path), 10_000);
    expect(inspected.state).toBe('fresh');
    expect(inspected.diagnostics).toHaveLength(1);
  });
});

function shape({ path, range: { start }, severity, code }: FileDiagnostic): string {
  return `${path} ${start.line}:${start.character} ${severity} ${code}`;
}
