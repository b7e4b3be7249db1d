import { afterEach, describe, expect, test } from 'vitest';
import type { DiagnosticsReport, FileDiagnostic } from '../../src/diagnostics/report.ts';
import { type BoardRun, boardRun } from '../support/board-run.ts';
import { type FixtureProject, fixtureProject, TSCONFIG } from '../support/fixture-project.ts';

const LIB = 'export function size(of: number): number {\n  return Number(of);\n}\n';
const USER = "import { size } from './lib.js';\n\nexport const two = size(1);\n";

let project: FixtureProject;
let run: BoardRun;

function begin(files: Readonly<Record<string, string>>, more: Partial<Parameters<typeof boardRun>[0]> = {}): void {
  project = fixtureProject(files, { typescript: 'typescript-7' });
  run = boardRun({ root: project.root, ...more });
}

afterEach(async () => {
  await run.board.close();
  project.remove();
});

const said = (diagnostics: readonly FileDiagnostic[]): readonly string[] =>
  diagnostics.map(({ path, code }) => `${path} ${code}`);

/** At once, after one that keeps the server at it; then what came late too. */
async function allAtOnce(
  edits: readonly (readonly [session: string, name: string, from: string, to: string])[],
): Promise<readonly Pick<DiagnosticsReport, 'introduced'>[]> {
  await run.replace(project.path('other.ts'), ['1', '2']);
  const ahead = run.replace(project.path('other.ts'), ['2', '3'], { session: 'ahead' });
  const reports = edits.map(([session, name, from, to]) => run.replace(project.path(name), [from, to], { session }));
  await ahead;
  return Promise.all(reports);
}

describe('what is new is put down to the edit that made it', { timeout: 60_000 }, () => {
  const FILES = { 'tsconfig.json': TSCONFIG, 'lib.ts': LIB, 'user.ts': USER, 'other.ts': 'export const other = 1;\n' };

  test('of sessions that edit at the same time, also where one breaks a file that another edits', async () => {
    begin(FILES);
    const [breaks, edits, harmless] = await allAtOnce([
      ['a', 'lib.ts', 'of: number', 'of: string'],
      ['b', 'user.ts', 'two', 'three'],
      ['c', 'other.ts', '3', '4'],
    ]);
    expect(said(breaks?.introduced ?? [])).toEqual(['user.ts TS2345']);
    expect(edits).toMatchObject({ state: 'fresh', introduced: [], before: 1 });
    expect(harmless).toMatchObject({ state: 'fresh', introduced: [], before: 0 });
  });

  test('of sessions that edit one file', async () => {
    begin(FILES);
    const [harmless, breaks, last] = await allAtOnce([
      ['a', 'lib.ts', 'return', '/**/ return'],
      ['b', 'lib.ts', 'Number(of)', "'x'"],
      ['c', 'lib.ts', 'return', '/**/ return'],
    ]);
    expect(said(harmless?.introduced ?? [])).toEqual([]);
    expect(said(breaks?.introduced ?? [])).toEqual(['lib.ts TS2322']);
    expect(last).toMatchObject({ state: 'fresh', introduced: [], before: 1 });
  });

  test('of one session that breaks a file and edits it before it was looked at: told, and once', async () => {
    begin(FILES);
    await run.replace(project.path('other.ts'), ['1', '2']);
    const first = run.replace(project.path('lib.ts'), ['of: number', 'of: string']);
    const reports = await Promise.all([first, run.replace(project.path('user.ts'), ['two', 'three'])]);
    await run.board.settle('s1', 20_000);
    const late = run.board.takeReflow('s1').map(({ report }) => report);
    expect(said([...reports, ...late].flatMap(({ introduced }) => introduced))).toEqual(['user.ts TS2345']);
  });

  test('a warning in a file that depends on an edited one is neither fixed nor introduced', async () => {
    const user = 'from lib import size\n\ntwo = size(1)\ntwo + 1\n';
    begin({ 'lib.py': 'def size(of: int) -> int:\n    return 1\n', 'user.py': user }, { severity: 'warning' });
    await run.replace(project.path('user.py'), ['size(1)', 'size(2)']);
    const lib = await run.replace(project.path('lib.py'), ['-> int', '-> float']);
    expect(lib).toMatchObject({ state: 'fresh', introduced: [], fixed: [] });
    const again = await run.replace(project.path('user.py'), ['size(2)', 'size(3)']);
    expect(again).toMatchObject({ state: 'fresh', introduced: [], fixed: [], before: 1 });
  });
});
