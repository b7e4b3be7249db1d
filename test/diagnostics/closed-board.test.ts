import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fixtureProject, TSCONFIG } from '../support/fixture-project.ts';

const CHILD = join(import.meta.dirname, '..', 'support', 'closing-child.ts');

/** Files that use the base, so many that looking at them takes several steps. */
function users(count: number): Record<string, string> {
  const text = "import { base } from './base.js';\nexport const used: number = base;\n";
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/user-${index}.ts`, text]));
}

// In a process of its own: a board that asks a server which is gone again and again lets nothing else run.
test('a board that is closed while one change is in hand and another is looked into comes to rest', {
  timeout: 120_000,
}, async () => {
  const project = fixtureProject(
    { 'tsconfig.json': TSCONFIG, 'src/base.ts': 'export const base: number = JSON.parse("1");\n', ...users(60) },
    { typescript: 'typescript-7' },
  );
  const delays = ['1', '3', '6', '10', '15', '25', '40', '60'];
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', CHILD, project.root, ...delays], {
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  expect(stdout.trim().split('\n')).toHaveLength(delays.length);
  project.remove();
});
