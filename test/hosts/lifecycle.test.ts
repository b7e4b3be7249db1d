import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { createBroker } from '../../src/index.ts';
import { until } from '../support/processes.ts';
import { linkTypescript, makeProject, type Project } from '../support/project.ts';

const CLI = join(import.meta.dirname, '../../dist/hosts/cli.js');

/** Processes that stand in the project's folder, which is where its language servers do. */
function serversOf(project: Project): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(project.root) ? [Number(name)] : [];
    } catch {
      // It has ended since.
      return [];
    }
  });
}

function polyglot(): Project {
  const project = makeProject({
    'tsconfig.json': '{ "compilerOptions": { "strict": true } }',
    'a.ts': 'export const a: number = 1;\n',
    'b.py': 'b: int = 1\n',
    'pyproject.toml': '[project]\nname = "p"\n',
  });
  linkTypescript(project, 'typescript');
  return project;
}

describe('language servers never outlive their broker', () => {
  test('close ends them', async () => {
    const project = polyglot();
    const broker = await createBroker({ root: project.root, diagnosticsBudgetMs: 30_000 });
    const [ts, py] = await Promise.all([
      broker.call('Edit', { file_path: 'a.ts', old_string: '= 1', new_string: '= "x"' }),
      broker.call('Edit', { file_path: 'b.py', old_string: '= 1', new_string: '= "x"' }),
    ]);
    expect(ts.text).toContain('TS2322');
    expect(py.text).toContain('reportAssignmentType');
    expect(serversOf(project).length).toBeGreaterThanOrEqual(2);
    await broker.close();
    expect(await until(() => serversOf(project).length === 0, 2000)).toBe(true);
  });

  test('a broker closed while they are still looked for starts none, and its process ends by itself', async () => {
    const project = polyglot();
    const program = `
      import { createBroker } from '${join(import.meta.dirname, '../../dist/index.js')}';
      for (const file_path of ['a.ts', 'b.py']) {
        const broker = await createBroker({ root: '.' });
        await broker.call('Read', { file_path });
        await broker.close();
      }`;
    const { timedOut } = await execa(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: project.root,
      timeout: 20_000,
      reject: false,
    });
    expect(timedOut).toBe(false);
    expect(serversOf(project)).toEqual([]);
  });

  test('kill -9 of the broker ends them within 10 s', async () => {
    const project = polyglot();
    const client = new Client({ name: 'test', version: '1.0.0' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', '--in-process', '--root', project.root],
      cwd: '/',
    });
    await client.connect(transport);
    await client.callTool({ name: 'Edit', arguments: { file_path: 'a.ts', old_string: '= 1', new_string: '= 2' } });
    await client.callTool({ name: 'Edit', arguments: { file_path: 'b.py', old_string: '= 1', new_string: '= 2' } });
    expect(serversOf(project).length).toBeGreaterThanOrEqual(2);
    process.kill(transport.pid ?? 0, 'SIGKILL');
    expect(await until(() => serversOf(project).length === 0, 10_000)).toBe(true);
    await client.close();
  });
});
