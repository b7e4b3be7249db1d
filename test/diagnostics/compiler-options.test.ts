import { expect, test } from 'vitest';
import { boardRun } from '../support/board-run.ts';
import { fixtureProject } from '../support/fixture-project.ts';

const CHECKS = {
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
};

const text = (type: string): string => `const unused = 1;
export function some(yes${type}, parameter${type}) {
  if (yes) return 1;
}
/** @param {number} of */
export function each(of${type}) {
  label: switch (of) {
    case some(of, 1):
      some(of, 2);
    case 2:
      some(of, 3);
  }
  return;
  some(of, 4);
}
`;

/** What `tsc` ends with an error for is one here, whatever an editor would make of it. */
test.each([
  ['typescript-7', 'main.ts'],
  ['typescript-7', 'main.js'],
  ['typescript', 'main.ts'],
  ['typescript', 'main.js'],
] as const)('%s, %s: checks that a project asks for are errors', { timeout: 60_000 }, async (typescript, name) => {
  const compilerOptions = {
    target: 'es2022',
    allowJs: true,
    checkJs: true,
    strict: true,
    noImplicitAny: false,
    types: [],
  };
  const codes = async (more: Readonly<Record<string, boolean>>): Promise<readonly unknown[]> => {
    const tsconfig = JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true, ...more } });
    const files = { 'tsconfig.json': tsconfig, [name]: text(name.endsWith('.ts') ? ': number' : '') };
    const project = fixtureProject(files, { typescript });
    const run = boardRun({ root: project.root });
    try {
      const { state, diagnostics } = await run.board.inspect(run.snapshot(project.path(name)), 60_000);
      expect(state).toBe('fresh');
      return diagnostics.map(({ code }) => code).sort();
    } finally {
      await run.board.close();
      project.remove();
    }
  };
  expect(await codes(CHECKS)).toEqual(['TS6133', 'TS6133', 'TS7027', 'TS7028', 'TS7029', 'TS7030']);
  expect(await codes({})).toEqual([]);
});
