import { rmSync, symlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { diagnosticsTool } from '../../src/tools/diagnostics.ts';
import { fixtureProject, TSCONFIG } from '../support/fixture-project.ts';

test('one open file that can not be looked at takes no diagnostics from the others', async () => {
  const project = fixtureProject(
    { 'tsconfig.json': TSCONFIG, 'a.ts': 'export const a = 1;\n', 'd.ts': 'export const d = 1;\n' },
    { typescript: 'typescript-7' },
  );
  const root = await openRoot({ root: project.root });
  onTestFinished(async () => {
    await root.close();
    project.remove();
  });
  const session = createSession(root, 'test');
  const inspect = async (file_path: string): Promise<string> => {
    const args = { file_path, wait_ms: 60_000 };
    return (await callTool([diagnosticsTool], { name: 'Diagnostics', args }, { session })).text;
  };
  expect(await inspect('d.ts')).toBe('d.ts: clean');
  rmSync(project.path('d.ts'));
  symlinkSync('d.ts', project.path('d.ts'));
  expect(await inspect('a.ts')).toBe('a.ts: clean');
}, 120_000);
