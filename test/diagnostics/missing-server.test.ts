import { describe, expect, test } from 'vitest';
import { serverDefinitionSchema } from '../../src/workspace/language-server/server-definition.ts';
import { boardRun } from '../support/board-run.ts';
import { fixtureProject } from '../support/fixture-project.ts';

const definition = serverDefinitionSchema.parse({
  name: 'absent',
  languages: ['plaintext'],
  places: [{ from: 'path', command: 'emend-no-such-server' }],
  diagnostics: { kind: 'pull' },
  install: 'get it somewhere',
  verified: 'never',
});

describe('a language whose server is not installed', () => {
  test('has no diagnostics, and the report says what to install', async () => {
    const project = fixtureProject({ 'a.txt': '' });
    const run = boardRun({ root: project.root, definitions: [definition] });
    const report = await run.write(project.path('a.txt'), 'text');
    expect(report).toMatchObject({ state: 'none', introduced: [], open: [] });
    expect(report.servers).toEqual([
      { name: 'absent', version: null, state: 'unavailable', reason: 'absent is not installed: get it somewhere' },
    ]);
    expect((await run.board.inspect(run.snapshot(project.path('a.txt')), 100)).state).toBe('none');
    await run.board.close();
    project.remove();
  });

  test('what lies in packages of others is not looked at', async () => {
    const project = fixtureProject({ 'node_modules/p/a.ts': '' });
    const run = boardRun({ root: project.root });
    const report = await run.write(project.path('node_modules/p/a.ts'), 'const a: string = 1;\n');
    expect(report).toMatchObject({ state: 'none', servers: [] });
    await run.board.close();
    project.remove();
  });
});
