import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { emendFor } from '../support/emend.ts';
import { connectMcp, textOf } from '../support/mcp-client.ts';
import { isRunning, processes, until } from '../support/processes.ts';
import { makeProject, type Project } from '../support/project.ts';

const OWN = (project: Project): readonly string[] => ['--in-process', '--root', project.root];

describe('emend mcp speaks both eras of the protocol', () => {
  test.each([
    ['2025-11-25', 'legacy' as const],
    ['2026-07-28', { pin: '2026-07-28' }],
  ])('%s: lists, calls, refuses', async (_version, mode) => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const { client } = await connectMcp({ args: OWN(project), client: { versionNegotiation: { mode } } });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('Edit');
    const edit = { file_path: 'a.txt', old_string: 'alpha', new_string: 'beta' };
    expect(textOf(await client.callTool({ name: 'Edit', arguments: edit }))).toMatch(/^Edited a\.txt/);
    const again = await client.callTool({ name: 'Edit', arguments: edit });
    expect(again.isError).toBe(true);
    expect(again.structuredContent).toBeUndefined();
    expect(textOf(again)).toMatch(/^Error already_applied: /);
  });
});

describe('what a client is shown', () => {
  test('--structured gives programs the receipt, and errors stay text', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const { client } = await connectMcp({ args: [...OWN(project), '--structured'] });
    const { tools } = await client.listTools();
    expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
    const read = await client.callTool({ name: 'Read', arguments: { file_path: 'a.txt' } });
    expect(read.structuredContent).toMatchObject({ tool: 'Read', ok: true, complete: true });
    expect(textOf(read)).toContain('alpha');
    const missing = await client.callTool({ name: 'Read', arguments: { file_path: 'b.txt' } });
    expect(missing).toMatchObject({ isError: true });
    expect(missing.structuredContent).toBeUndefined();
  });

  test('a text above the ceiling is cut by us, with both its ends', async () => {
    const lines = Array.from({ length: 1500 }, (_, line) => `line ${line} ${'x'.repeat(20)}`);
    const project = makeProject({ 'a.txt': lines.join('\n') });
    const { client } = await connectMcp({ args: [...OWN(project), '--max-output', '5000'] });
    const text = textOf(await client.callTool({ name: 'Read', arguments: { file_path: 'a.txt' } }));
    expect(text.length).toBeLessThan(5300);
    expect(text).toMatch(/^1→line 0/);
    expect(text).toMatch(/\n… \d+ characters left out: .*\n/);
    expect(text).toContain('1500→line 1499');
  });

  test('a dialect is what is listed and what is called', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const { client } = await connectMcp({ args: [...OWN(project), '--model', 'gemini-3-pro'] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('replace');
    const args = { file_path: 'a.txt', old_string: 'alpha', new_string: 'beta', instruction: 'rename it' };
    expect(textOf(await client.callTool({ name: 'replace', arguments: args }))).toMatch(/^Edited a\.txt/);
    expect(project.read('a.txt')).toBe('beta\n');
  });
});

describe('where the files are', () => {
  test('the roots of the client are the boundary, also when it starts us in /', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const other = makeProject({ 'b.txt': 'beta\n' });
    let root = project.root;
    const { client } = await connectMcp({
      args: ['--in-process'],
      client: { capabilities: { roots: { listChanged: true } } },
      prepare: (one) => one.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(root).href }] })),
    });
    const read = (path: string) => client.callTool({ name: 'Read', arguments: { file_path: path } });
    expect(textOf(await read('a.txt'))).toBe('1→alpha');
    expect(textOf(await read(other.path('b.txt')))).toMatch(/^Error denied: /);
    root = other.root;
    await client.sendRootsListChanged();
    expect(textOf(await read('b.txt'))).toBe('1→beta');
  });

  test('in / without roots, a search without a path is refused and everything with a path works', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const { client } = await connectMcp({ args: ['--in-process'] });
    const search = await client.callTool({ name: 'Grep', arguments: { pattern: 'alpha' } });
    expect(textOf(search)).toMatch(/^Error invalid_arguments: the root is \/: .* Name a path in it\.$/);
    const inPath = await client.callTool({ name: 'Grep', arguments: { pattern: 'alpha', path: project.root } });
    expect(textOf(inPath)).toContain('a.txt');
  });

  test('a root that is gone is told to the model', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const { client } = await connectMcp({ args: ['--in-process', '--root', project.path('nowhere')] });
    const result = await client.callTool({ name: 'Read', arguments: { file_path: 'a.txt' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^Error unavailable: the root .*nowhere is not a folder/);
  });
});

describe('a call that takes long', () => {
  test('tells of its progress where a token was given', async () => {
    const project = makeProject({});
    const { client } = await connectMcp({ args: OWN(project) });
    const told: number[] = [];
    const result = await client.callTool(
      { name: 'Bash', arguments: { command: 'sleep 6; echo done' } },
      { onprogress: ({ progress }) => told.push(progress) },
    );
    expect(textOf(result)).toMatch(/done$/);
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([...told].sort((a, b) => a - b));
  });

  test('is answered before a client without progress gives up, and the job that it names tells the rest', async () => {
    const project = makeProject({});
    const { client } = await connectMcp({ args: [...OWN(project), '--answer-within', '1000'] });
    const bash = async (args: Record<string, unknown>) =>
      textOf(await client.callTool({ name: 'Bash', arguments: args }));
    expect(await bash({ command: 'sleep 3; echo done', timeout_ms: 120_000 })).toMatch(/^still running, job 1/);
    // What it prints is new once, and may come before it is known to have ended.
    const told = [await bash({ job: 1 })];
    while (!told.at(-1)?.includes('exit')) told.push(await bash({ job: 1 }));
    expect(told.at(-1)).toMatch(/^job 1: exit 0 \([\d.]+ s\)/);
    expect(told.join('\n').match(/^done$/gm)).toHaveLength(1);
  });

  test.each([
    ['in the process of the client alone', '2025-11-25', 'legacy' as const, ['--in-process']],
    ['in the process of the client alone', '2026-07-28', { pin: '2026-07-28' }, ['--in-process']],
    ['in the resident process', '2025-11-25', 'legacy' as const, []],
  ])(
    'is ended with all its processes within 2 s when it is cancelled, and is never answered after: %s, %s',
    async (_where, _version, mode, where) => {
      const project = makeProject({ 'a.txt': 'alpha\n' });
      const emend = emendFor(project.root);
      const { client, transport } = await connectMcp({
        args: [...where, '--root', project.root],
        env: emend.env,
        client: { versionNegotiation: { mode } },
      });
      const sent: unknown[] = [];
      const received: unknown[] = [];
      const { send, onmessage } = transport;
      transport.send = (message) => {
        sent.push(message);
        return send.call(transport, message);
      };
      transport.onmessage = (message) => {
        received.push(message);
        onmessage?.(message);
      };
      const mark = `61${Math.floor(Math.random() * 1e6)}`;
      const running = () => processes().filter(({ command }) => command === `sleep ${mark}`).length;
      const cancel = new AbortController();
      const command = `trap '' TERM; sleep ${mark} & sleep ${mark}; echo late`;
      const call = client
        .callTool({ name: 'Bash', arguments: { command } }, { signal: cancel.signal })
        .catch((error: Error) => error);
      expect(await until(() => running() === 2, 10_000)).toBe(true);
      cancel.abort();
      const cancelled = performance.now();
      expect(await call).toBeInstanceOf(Error);
      const read = client.callTool({ name: 'Read', arguments: { file_path: 'a.txt' } });
      expect(await until(() => running() === 0, 2000)).toBe(true);
      expect(textOf(await read)).toBe('1→alpha');
      expect(performance.now() - cancelled).toBeLessThan(4000);
      // A client that waits for the id has an error at most, also when the command is long over.
      await client.callTool({ name: 'Bash', arguments: { command: 'sleep 1' } });
      const ids = sent.flatMap((message) => {
        const { id, params } = message as { id?: number; params?: { arguments?: { command?: string } } };
        return params?.arguments?.command === command ? [id] : [];
      });
      expect(ids).toHaveLength(1);
      expect(received.length).toBeGreaterThan(1);
      expect(received).not.toContainEqual(expect.objectContaining({ id: ids[0], result: expect.anything() }));
    },
  );
});

describe('clients that come and go', () => {
  test('two on one root: no update is lost, and what one is told once the other is told too', async () => {
    const project = makeProject({ 'a.txt': Array.from({ length: 20 }, (_, n) => `line ${n};\n`).join('') });
    const emend = emendFor(project.root);
    const options = { args: ['--root', project.root], env: emend.env };
    const [first, second] = await Promise.all([connectMcp(options), connectMcp(options)]);
    const edits = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? first : second).client.callTool({
        name: 'Edit',
        arguments: { file_path: 'a.txt', old_string: `line ${n};`, new_string: `LINE ${n};` },
      }),
    );
    const ids = (await Promise.all(edits)).map((result) => /\[(e\d+)\]/.exec(textOf(result))?.[1]);
    expect(new Set(ids).size).toBe(20);
    expect(project.read('a.txt')).not.toContain('line');
    const odd = { filePath: 'a.txt', limit: 1 };
    for (const { client } of [first, second]) {
      const told = textOf(await client.callTool({ name: 'Read', arguments: odd }));
      expect(told).toContain('note: filePath is file_path here');
      expect(textOf(await client.callTool({ name: 'Read', arguments: odd }))).not.toContain('note:');
    }
    const { stdout: status } = await emend.run(['serve', '--status', '--root', project.root]);
    expect(status).toMatch(/2 other connections/);
  });

  test('one that vanishes in the middle of a command takes the command with it, and nobody else', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    const options = { args: ['--root', project.root], env: emend.env };
    const [staying, vanishing] = await Promise.all([connectMcp(options), connectMcp(options)]);
    const mark = `62${Math.floor(Math.random() * 1e6)}`;
    const running = () => processes().filter(({ command }) => command === `sleep ${mark}`).length;
    vanishing.client.callTool({ name: 'Bash', arguments: { command: `sleep ${mark}` } }).catch(() => undefined);
    expect(await until(() => running() === 1, 10_000)).toBe(true);
    process.kill(vanishing.transport.pid ?? 0, 'SIGKILL');
    expect(await until(() => running() === 0, 10_000)).toBe(true);
    const read = await staying.client.callTool({ name: 'Read', arguments: { file_path: 'a.txt' } });
    expect(textOf(read)).toBe('1→alpha');
  });

  test('a resident process that dies is replaced at the next call', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    const { client } = await connectMcp({ args: ['--root', project.root], env: emend.env });
    await client.callTool({ name: 'Read', arguments: { file_path: 'a.txt' } });
    const pid = (await emend.resident(project.root)) ?? 0;
    process.kill(pid, 'SIGKILL');
    expect(await until(() => !isRunning(pid), 2000)).toBe(true);
    writeFileSync(project.path('a.txt'), 'beta\n');
    const read = await client.callTool({ name: 'Read', arguments: { file_path: 'a.txt' } });
    expect(textOf(read)).toMatch(/^1→beta/);
  });
});
