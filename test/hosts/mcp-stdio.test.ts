import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { BIN } from '../support/mcp-client.ts';
import { processes, until } from '../support/processes.ts';
import { makeProject, type Project } from '../support/project.ts';

interface Answer {
  readonly id: number | string | null;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

function start(project: Project) {
  return spawn(process.execPath, [BIN, 'mcp', '--in-process', '--root', project.root], { stdio: 'pipe' });
}

/** What is answered to an input that ends at once. */
async function answersTo(project: Project, input: string) {
  const child = start(project);
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('exit', resolve)),
  ]);
  const answers = out.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Answer]));
  return { answers, err, code };
}

const callOf = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const lines = (...messages: readonly object[]): string => messages.map((one) => `${JSON.stringify(one)}\n`).join('');

describe('an input that ends', () => {
  test('what was asked before is answered, the last line without its end too, and then it ends', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const asked = lines(
      INITIALIZE,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
      callOf(3, 'Bash', { command: 'sleep 1.2; echo done' }),
      callOf(4, 'Edit', { file_path: 'a.txt', old_string: 'alpha', new_string: 'beta' }),
    );
    const { answers, err, code } = await answersTo(project, asked.trimEnd());
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4]);
    expect(answers.find(({ id }) => id === 3)?.result?.content?.[0]?.text).toMatch(/done/);
    expect(project.read('a.txt')).toBe('beta\n');
    expect({ err, code }).toEqual({ err: '', code: 0 });
  });

  test('nothing asked: it ends at once', async () => {
    expect(await answersTo(makeProject({}), '')).toEqual({ answers: [], err: '', code: 0 });
  });

  test('a client that is gone with both its pipes takes its commands along', async () => {
    const child = start(makeProject({}));
    const mark = `64${Math.floor(Math.random() * 1e6)}`;
    const running = () => processes().filter(({ command }) => command === `sleep ${mark}`).length;
    child.stdin.write(lines(INITIALIZE, callOf(2, 'Bash', { command: `sleep ${mark}` })));
    expect(await until(() => running() === 1, 10_000)).toBe(true);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdout.destroy();
    child.stdin.end();
    await ended;
    expect(await until(() => running() === 0, 5000)).toBe(true);
  });
});

describe('what is no message', () => {
  test.each<[string, string, number, string | number | null, RegExp]>([
    ['no JSON', 'hello {"a', -32700, null, /this line is not JSON: "hello/],
    ['JSON of another kind', '{"id":7,"method":5}', -32600, 7, /this line is not a JSON-RPC 2\.0 message: "\{/],
    ['a batch', '[]', -32600, null, /this line is not a JSON-RPC 2\.0 message: "\[\]"/],
  ])(
    '%s is answered with an error and told on stderr, and what follows is answered',
    async (_what, line, code, id, message) => {
      const { answers, err } = await answersTo(makeProject({}), `${line}\n\n${lines(INITIALIZE)}`);
      expect(answers[0]).toMatchObject({ id, error: { code, message: expect.stringMatching(message) } });
      expect(err).toMatch(message);
      expect(answers[1]).toMatchObject({ id: 1, result: { serverInfo: { name: 'emend' } } });
    },
  );
});
