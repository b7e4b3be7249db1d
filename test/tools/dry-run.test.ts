import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import type { DiagnosticsBoard } from '../../src/diagnostics/diagnostics-board.ts';
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

  async function withBoard(check: DiagnosticsBoard['check']) {
    const project = fixtureProject({ 'a.txt': 'one\n' });
    const root = await openRoot({ root: project.root });
    onTestFinished(async () => {
      await root.close();
      project.remove();
    });
    vi.spyOn(root.diagnostics, 'check').mockImplementation(check);
    const sessions = ['s1', 's2'].map((id) => createSession(root, id));
    const edit = (who: number, to: string, more: object) => {
      const args = { edits: [{ file_path: 'a.txt', old_string: 'one', new_string: to }], ...more };
      const [session = never()] = sessions.slice(who);
      return callTool([multiEditTool], { name: 'MultiEdit', args }, { session });
    };
    return edit;
  }

  test('answers where the servers can not be asked, and ends nothing', async () => {
    const edit = await withBoard(() => Promise.reject(new Error('servers.json is broken')));
    const result = await edit(0, 'two', { dry_run: true });
    expect(result.text).toContain('diagnostics: unavailable (diagnostics: servers.json is broken)');
    expect(result.ok).toBe(true);
  });

  test('has told the servers the present text again before anyone writes another', async () => {
    const told: string[] = [];
    const edit = await withBoard(async (changes) => {
      told.push(...changes.map(({ after }) => after?.text ?? ''));
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { state: 'none', ms: 0, before: null, unchecked: 0, introduced: [], fixed: [], open: [], servers: [] };
    });
    await Promise.all([edit(0, 'tried', { dry_run: true }), edit(1, 'written', {})]);
    expect(told.filter((text) => text !== 'written\n')).toEqual(['tried\n', 'one\n']);
    expect(told.indexOf('one\n')).toBe(told.indexOf('tried\n') + 1);
  });
});

function never(): never {
  throw new Error('no such session');
}
