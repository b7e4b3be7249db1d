import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { runAgents } from '../support/agent-run.ts';
import { effectProject } from '../support/real-projects.ts';

test('two agents make 200 calls on a real repository: every edit is answered exactly once', async () => {
  const project = effectProject('typescript-7');
  onTestFinished(project.remove);
  const files = ['Duration', 'Option', 'Chunk', 'HashMap', 'Cause', 'Schedule'].map((name) => `src/${name}.ts`);
  const read = (name: string): string => readFileSync(project.path(name), 'utf8');
  const run = await runAgents({ root: project.root, files, calls: 100, budgetMs: 100, read });
  console.log(`${run.edits} edits: ${run.own} told at once, ${run.late} later`);
  expect(run.edits).toBe(150);
});
