import { expect, test } from 'vitest';
import { runAgents } from '../support/agent-run.ts';
import { linkTypescript, makeProject } from '../support/project.ts';

test('two agents at the same time: the diagnostics of every edit come exactly once, to the one that made it', async () => {
  const names = Array.from({ length: 5 }, (_, n) => `module${n}.ts`);
  const project = makeProject({
    'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
    ...Object.fromEntries(
      names.map((name, n) => [name, `export const value${n}: number = ${n};\nexport type Kind${n} = 'a' | 'b';\n`]),
    ),
  });
  linkTypescript(project, 'typescript-7');
  const run = await runAgents({ root: project.root, files: names, calls: 24, budgetMs: 30, read: project.read });
  expect(run.edits).toBe(36);
  expect(run.own + run.late).toBeLessThanOrEqual(run.edits);
}, 120_000);
