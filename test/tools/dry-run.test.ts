import { describe, expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { diagnosticsTool } from '../../src/tools/diagnostics.ts';
import { multiEditTool } from '../../src/tools/multi-edit.ts';
import { readTool } from '../../src/tools/read.ts';
import { fixtureProject, TSCONFIG } from '../support/fixture-project.ts';

describe('a dry run', () => {
  test('shows what the language server would say, and the server is then of the present text again', async () => {
    const project = fixtureProject(
      { 'tsconfig.json': TSCONFIG, 'a.ts': 'export const count: number = 1;\n' },
      { typescript: 'typescript-5' },
    );
    const root = await openRoot({ root: project.root });
    onTestFinished(async () => {
      await root.close();
      project.remove();
    });
    const session = createSession(root, 'test', { diagnosticsBudgetMs: 25_000 });
    const tools = [readTool, multiEditTool, diagnosticsTool];
    const run = (tool: { readonly name: string }, args: unknown) =>
      callTool(tools, { name: tool.name, args }, { session });
    await run(readTool, { file_path: 'a.ts' });
    await run(diagnosticsTool, { file_path: 'a.ts', wait_ms: 100_000 });
    const edits = [{ file_path: 'a.ts', old_string: '= 1;', new_string: "= 'one';" }];

    const dry = await run(multiEditTool, { edits, dry_run: true });
    expect(dry.text).toMatch(/^Dry run: nothing was written\.\nWould edit a\.ts \(\+1 -1\) L1\n/);
    expect(dry.receipt.diagnostics).toMatchObject({
      state: 'fresh',
      introduced: [{ path: 'a.ts', code: expect.stringContaining('2322') }],
    });

    const now = await run(diagnosticsTool, { file_path: 'a.ts', wait_ms: 100_000 });
    expect(now.text).toMatch(/a\.ts: clean/);
  }, 150_000);

  test('of a file that is not there yet knows nothing', async () => {
    const project = fixtureProject({ 'b.txt': 'x\n' });
    const root = await openRoot({ root: project.root });
    onTestFinished(async () => {
      await root.close();
      project.remove();
    });
    const session = createSession(root, 'test');
    const edits = [{ file_path: 'new.ts', old_string: '', new_string: 'export {};\n' }];
    const args = { edits, dry_run: true };
    const result = await callTool([multiEditTool], { name: 'MultiEdit', args }, { session });
    expect(result.receipt.diagnostics).toMatchObject({ state: 'unavailable' });
    expect(result.text).toContain('diagnostics: unavailable');
  });
});
