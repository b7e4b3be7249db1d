import { type FixtureProject, fixtureProject, type InstalledTypeScript, TSCONFIG } from './fixture-project.ts';

/** A small project for each of the servers that come with emend. */
export interface ServingCase {
  readonly name: string;
  /** What its command line has. */
  readonly program: string;
  /** The file that is edited. */
  readonly file: string;
  project(): FixtureProject;
  /** A text of that file with exactly these names missing, each on a line of its own that `line` comes before. */
  text(missing: readonly string[]): string;
}

const typescript = (version: string, program: string, installed?: InstalledTypeScript): ServingCase => ({
  name: `TypeScript ${version}`,
  program,
  file: 'src/a.ts',
  project: () =>
    fixtureProject({ 'tsconfig.json': TSCONFIG, 'src/a.ts': '' }, installed ? { typescript: installed } : {}),
  text: (missing) =>
    ['export const start = 1;', ...missing.map((name) => `export const of_${name} = ${name};`), ''].join('\n'),
});

export const SERVING_CASES: readonly ServingCase[] = [
  typescript('7', '--lsp', 'typescript-7'),
  typescript('6', 'typescript-language-server', 'typescript'),
  typescript('5.9', 'typescript-language-server', 'typescript-5'),
  {
    name: 'Python',
    program: 'pyright',
    file: 'src/a.py',
    project: () => fixtureProject({ 'src/a.py': '' }),
    text: (missing) => ['start = 1', ...missing.map((name) => `of_${name} = ${name}`), ''].join('\n'),
  },
];

/** One for each server. */
export const QUICK_SERVING_CASES = SERVING_CASES.filter(({ name }) => name !== 'TypeScript 5.9');
