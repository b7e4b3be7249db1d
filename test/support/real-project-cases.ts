import { expect } from 'vitest';
import type { FileDiagnostic } from '../../src/diagnostics/report.ts';
import { boardRun } from './board-run.ts';
import type { FixtureProject } from './fixture-project.ts';
import { djangoProject, effectProject } from './real-projects.ts';

/** A project that others wrote, one of its files without errors and one with some. */
export interface RealProjectCase {
  readonly name: string;
  readonly project: () => FixtureProject;
  /** A file without errors, and a change of it that makes one. */
  readonly clean: { readonly file: string; readonly breaks: readonly [string, string]; readonly error: string };
  /** A file with errors, and a change above them all that makes one more. */
  readonly dirty: {
    readonly file: string;
    readonly before: number;
    readonly breaks: readonly [string, string];
    readonly error: string;
  };
}

const effect = (name: string, typescript: Parameters<typeof effectProject>[0]): RealProjectCase => ({
  name,
  project: () => effectProject(typescript),
  clean: {
    file: 'src/Option.ts',
    breaks: ['of collection) {\n    return some(a)', 'of collection) {\n    return some([a])'],
    error: '572:4 TS2375',
  },
  dirty: {
    file: 'src/Runtime.ts',
    before: 7,
    breaks: ['import ', 'export const limit: number = "ten"\n\nimport '],
    error: '12:13 TS2322',
  },
});

export const REAL_PROJECT_CASES: readonly RealProjectCase[] = [
  effect('effect, with TypeScript 7', 'typescript-7'),
  effect('effect, with TypeScript 6', 'typescript'),
  effect('effect, with TypeScript 5.9', 'typescript-5'),
  {
    name: 'Django',
    project: djangoProject,
    clean: {
      file: 'django/utils/encoding.py',
      breaks: ['return quote(path, safe', 'return quot(path, safe'],
      error: '217:11 reportUndefinedVariable',
    },
    dirty: {
      file: 'django/utils/text.py',
      before: 3,
      breaks: ['import re\n', 'import re\n\nLIMIT: int = "ten"\n'],
      error: '3:13 reportAssignmentType',
    },
  },
];

/** An error that an edit makes is told, and that it is mended; older ones are counted, also when the edit moves them. */
export async function checkRealProject({ project: make, clean, dirty }: RealProjectCase): Promise<void> {
  const project = make();
  const run = boardRun({ root: project.root });
  try {
    const [sound, broken] = clean.breaks;
    const made = await run.replace(project.path(clean.file), clean.breaks);
    expect(made).toMatchObject({ state: 'fresh', before: 0, fixed: [], open: [] });
    expect(places(made.introduced)).toEqual([clean.error]);
    const mended = await run.replace(project.path(clean.file), [broken, sound]);
    expect(mended).toMatchObject({ state: 'fresh', before: 0, introduced: [], open: [] });
    expect(places(mended.fixed)).toEqual([clean.error]);

    const more = await run.replace(project.path(dirty.file), dirty.breaks);
    expect(more).toMatchObject({ state: 'fresh', before: dirty.before, fixed: [], open: [] });
    expect(places(more.introduced)).toEqual([dirty.error]);
    const back = await run.replace(project.path(dirty.file), [dirty.breaks[1], dirty.breaks[0]]);
    expect(back).toMatchObject({ state: 'fresh', before: dirty.before, introduced: [], open: [] });
    expect(places(back.fixed)).toEqual([dirty.error]);
  } finally {
    await run.board.close();
    project.remove();
  }
}

function places(diagnostics: readonly FileDiagnostic[]): readonly string[] {
  return diagnostics.map(({ range: { start }, code }) => `${start.line}:${start.character} ${code}`);
}
