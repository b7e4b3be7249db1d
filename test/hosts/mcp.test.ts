import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import iconv from 'iconv-lite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectMcp } from '../support/mcp-client.ts';
import { makeProject, type Project } from '../support/project.ts';

const CLI = join(import.meta.dirname, '../../dist/hosts/cli.js');

async function connect(project: Project): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', '--in-process', '--root', project.root],
    stderr: 'inherit',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

function textOf(result: { content?: unknown }): string {
  const [first] = (result.content ?? []) as { type: string; text: string }[];
  return first?.text ?? '';
}

describe('emend mcp', () => {
  test('lists the tools with their annotations and no output schema', async () => {
    const client = await connect(makeProject({}));
    const { tools } = await client.listTools();
    const edit = tools.find(({ name }) => name === 'Edit');
    expect(edit?.annotations).toEqual({ destructiveHint: true });
    expect(edit?.outputSchema).toBeUndefined();
    expect(edit?.inputSchema).toMatchObject({ type: 'object', required: ['file_path', 'old_string', 'new_string'] });
    expect(tools.find(({ name }) => name === 'Read')?.annotations).toEqual({ readOnlyHint: true });
  });

  test('a Shift_JIS file is read and changed by the program as it is shipped, and stays one', async () => {
    const before = 'title=表示\n; この設定は画面の表示に使われます\n';
    const project = makeProject({ 'c.ini': iconv.encode(before, 'shift_jis') });
    const { client } = await connectMcp({ args: ['--in-process', '--root', project.root] });
    const read = await client.callTool({ name: 'Read', arguments: { file_path: 'c.ini' } });
    expect(textOf(read)).toContain('2→; この設定は画面の表示に使われます');
    const edit = { file_path: 'c.ini', old_string: 'title=表示', new_string: 'title=名' };
    const edited = await client.callTool({ name: 'Edit', arguments: edit });
    expect(edited._meta?.['emend/receipt']).toMatchObject({ ok: true, files: [{ encoding: 'shift_jis' }] });
    expect(readFileSync(project.path('c.ini'))).toEqual(iconv.encode(before.replace('表示', '名'), 'shift_jis'));
  });

  test.each([
    [
      'a Python method given at column 0',
      'a.py',
      'class Basket:\n    def total(self):\n        return 1\n',
      { old_string: 'def total(self):\n    return 1', new_string: 'def total(self):\n    return 2' },
      'class Basket:\n    def total(self):\n        return 2\n',
    ],
    [
      'LF strings on a CRLF file',
      'a.txt',
      'one\r\ntwo\r\n',
      { old_string: 'one\ntwo', new_string: 'one\n1.5\ntwo' },
      'one\r\n1.5\r\ntwo\r\n',
    ],
    ['$& in new_string', 'a.txt', 'x = 5\n', { old_string: '5', new_string: '$&' }, 'x = $&\n'],
  ])('%s lands, text only, with the receipt in _meta', async (_what, name, before, strings, after) => {
    const project = makeProject({ [name]: before });
    const client = await connect(project);
    const result = await client.callTool({ name: 'Edit', arguments: { file_path: name, ...strings } });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toMatch(/^Edited /);
    expect(result._meta?.['emend/receipt']).toMatchObject({ ok: true, tool: 'Edit' });
    expect(project.read(name)).toBe(after);
  });

  test.each([
    ['a missing file', 'Edit', { file_path: 'gone.txt', old_string: 'a', new_string: 'b' }, 'not_found'],
    ['a path outside', 'Write', { file_path: '../out.txt', content: 'a' }, 'denied'],
    ['a missing parameter', 'Edit', { file_path: 'a.txt' }, 'invalid_arguments'],
    ['an unknown tool', 'Erase', {}, 'invalid_arguments'],
  ])('%s is an error result that a model can read', async (_what, name, args, code) => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const before = project.hash();
    const client = await connect(project);
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(new RegExp(`^Error ${code}: `));
    expect(project.hash()).toBe(before);
  });

  test('understands the parameter names of other tools', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const client = await connect(project);
    const result = await client.callTool({
      name: 'Edit',
      arguments: { filePath: 'a.txt', oldString: 'alpha', newString: 'beta' },
    });
    expect(textOf(result)).toContain('note: filePath is file_path here');
    expect(project.read('a.txt')).toBe('beta\n');
  });
});
