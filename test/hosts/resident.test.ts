import { chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { joinResident } from '../../src/hosts/join-resident.ts';
import { type Resident, startResident } from '../../src/hosts/resident.ts';
import { connectTo, residentSocket } from '../../src/hosts/resident-address.ts';
import { joinResidentHost } from '../../src/hosts/resident-host.ts';
import type { ToolHost } from '../../src/hosts/tool-host.ts';
import { emendFor } from '../support/emend.ts';
import { isRunning, until } from '../support/processes.ts';
import { makeProject } from '../support/project.ts';

const before = process.env.XDG_STATE_HOME;
let stateFolder: string;

beforeAll(() => {
  stateFolder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-state-')));
  process.env.XDG_STATE_HOME = stateFolder;
});
afterAll(() => {
  if (before === undefined) delete process.env.XDG_STATE_HOME;
  else process.env.XDG_STATE_HOME = before;
  rmSync(stateFolder, { recursive: true, force: true });
});

async function start(root: string, idleMs = 60_000): Promise<Resident> {
  const resident = await startResident({ root, idleMs });
  if (!resident) throw new Error(`${root} has a resident already`);
  onTestFinished(() => resident.stop());
  return resident;
}

function helloOf(root: string, more: { readonly session?: string; readonly env?: Record<string, string> } = {}) {
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  return {
    roots: [root] as [string],
    allow: [],
    isUnconfined: false,
    env: { ...env, ...more.env },
    choice: {},
    ...(more.session !== undefined && { session: more.session }),
  };
}

async function front(root: string, more: Parameters<typeof helloOf>[1] = {}): Promise<ToolHost> {
  const host = await joinResidentHost(helloOf(root, more));
  onTestFinished(() => host.close());
  return host;
}

async function read(host: ToolHost, args: object = { file_path: 'a.txt' }): Promise<string> {
  return (await host.call('Read', args)).text;
}

test('the first call starts it, the next finds it, one that was killed is replaced, and it stops when told to', async () => {
  const project = makeProject({ 'a.txt': 'alpha\n' });
  const emend = emendFor(project.root);
  const call = () => emend.run(['call', 'Read', '{"file_path":"a.txt"}', '--root', project.root]);
  await Promise.all([call(), call()]);
  const first = (await emend.resident(project.root)) ?? 0;
  expect(first).toBeGreaterThan(0);
  process.kill(first, 'SIGKILL');
  expect(await until(() => !isRunning(first), 5000)).toBe(true);
  expect(await call()).toMatchObject({ stdout: '1→alpha', stderr: '', exitCode: 0 });
  const second = (await emend.resident(project.root)) ?? 0;
  expect(second).not.toBe(first);
  const stopped = await emend.run(['serve', '--stop', '--root', project.root]);
  expect(stopped).toMatchObject({ stdout: expect.stringMatching(/^stopped: emend/), exitCode: 0 });
  expect(await until(() => !isRunning(second), 5000)).toBe(true);
}, 120_000);

test('one of another version is asked to retire, and replaced', async () => {
  const project = makeProject({ 'a.txt': 'alpha\n' });
  const emend = emendFor(project.root, stateFolder);
  const asked: string[] = [];
  const old = createServer((connection) => {
    const rpc = createMessageConnection(new StreamMessageReader(connection), new StreamMessageWriter(connection));
    rpc.onRequest('emend/hello', () => ({ version: '0.0.1', pid: process.pid, root: project.root }));
    rpc.onRequest('emend/retire', () => {
      asked.push('retire');
      old.close();
    });
    rpc.listen();
  });
  await new Promise<void>((resolve) => old.listen(residentSocket(project.root), resolve));
  const call = await emend.run(['call', 'Read', '{"file_path":"a.txt"}', '--root', project.root]);
  expect(call).toMatchObject({ stdout: '1→alpha', stderr: '', exitCode: 0 });
  expect(asked).toEqual(['retire']);
}, 120_000);

describe('a root has one resident process', () => {
  test('and a second one gives way', async () => {
    const { root } = makeProject({});
    await start(root);
    expect(await startResident({ root, idleMs: 60_000 })).toBeUndefined();
  });

  test('which takes over the socket of one that died', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const socket = residentSocket(project.root);
    const dying = createServer();
    await new Promise<void>((resolve) => dying.listen(socket, resolve));
    renameSync(socket, `${socket}.kept`);
    await new Promise((resolve) => dying.close(resolve));
    renameSync(`${socket}.kept`, socket);
    expect(await connectTo(socket)).toBeUndefined();
    await start(project.root);
    expect(await read(await front(project.root))).toBe('1→alpha');
  });

  test('that ends when nobody has used it for a while', async () => {
    const { root } = makeProject({});
    const resident = await start(root, 50);
    await resident.ended;
    expect(existsSync(resident.socket)).toBe(false);
  });

  test('whose socket is in a folder that is the user’s alone', async () => {
    const { root } = makeProject({});
    const { socket } = await start(root);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    expect(statSync(join(stateFolder, 'emend')).mode & 0o777).toBe(0o700);
  });

  test.runIf(process.getuid?.() === 0)('and the socket of another user is not talked to', async () => {
    const { root } = makeProject({});
    const { socket } = await start(root);
    chownSync(socket, 12_345, 12_345);
    await expect(connectTo(socket)).rejects.toThrow(/could be another user's/);
  });

  test('that can be reached where the path of the state folder is too long for a socket', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    process.env.XDG_STATE_HOME = join(stateFolder, 'a'.repeat(120));
    mkdirSync(process.env.XDG_STATE_HOME);
    try {
      const { socket } = await start(project.root);
      expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(100);
      expect(await read(await front(project.root))).toBe('1→alpha');
    } finally {
      process.env.XDG_STATE_HOME = stateFolder;
    }
  });
});

describe('what is of the root and what is of a session', () => {
  test('a front in a folder below joins it, confined to that folder', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n', 'sub/a.txt': 'beta\n' });
    await start(project.root);
    const above = await front(project.root);
    const below = await front(project.path('sub'));
    expect((await joinResident(helloOf(project.path('sub')))).root).toBe(project.root);
    const first = await above.call('Edit', { file_path: 'a.txt', old_string: 'alpha', new_string: 'ALPHA' });
    const second = await below.call('Edit', { file_path: 'a.txt', old_string: 'beta', new_string: 'BETA' });
    expect(first.text).toMatch(/^Edited a\.txt .*\[e1\]/);
    expect(second.text).toMatch(/^Edited a\.txt .*\[e2\]/);
    const outside = await below.call('Edit', { file_path: '../a.txt', old_string: 'ALPHA', new_string: 'x' });
    expect(outside).toMatchObject({ ok: false, receipt: { code: 'denied' } });
    expect([project.read('a.txt'), project.read('sub/a.txt')]).toEqual(['ALPHA\n', 'BETA\n']);
  });

  test('a session goes on from connection to connection by its name, and no other hears of it', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    await start(project.root);
    const odd = { filePath: 'a.txt' };
    const one = await front(project.root, { session: 'one' });
    expect(await read(one, odd)).toContain('note: filePath is file_path here');
    await one.close();
    expect(await read(await front(project.root, { session: 'one' }), odd)).not.toContain('note:');
    expect(await read(await front(project.root, { session: 'two' }), odd)).toContain('note:');
    expect(await read(await front(project.root), odd)).toContain('note:');
  });

  test('commands run in the environment of whoever calls', async () => {
    const { root } = makeProject({});
    await start(root);
    const [first, second] = [
      await front(root, { env: { WHOSE: 'first' } }),
      await front(root, { env: { WHOSE: 'second' } }),
    ];
    const whose = async (host: ToolHost) => (await host.call('Bash', { command: 'echo "$WHOSE"' })).text;
    expect(await whose(first)).toContain('\nfirst');
    expect(await whose(second)).toContain('\nsecond');
  });

  test('a tool that there is not is told when it is asked for', async () => {
    const { root } = makeProject({});
    await start(root);
    const hello = { ...helloOf(root), choice: { tools: ['Reed'] } };
    await expect(joinResident(hello)).rejects.toThrow(/no tool "Reed"/);
  });
});

test('a deny list of a caller holds in the resident too, for a name that only looks like a denied one', async () => {
  const project = makeProject({ 'my key.pem': 'PEM\n', 'a.txt': 'one\n' });
  await start(project.root);
  const host = await joinResidentHost({ ...helloOf(project.root), deny: ['my key.pem'] });
  onTestFinished(() => host.close());
  for (const file_path of ['my key.pem', 'my\u00a0key.pem']) {
    expect(await host.call('Read', { file_path })).toMatchObject({ ok: false, receipt: { code: 'denied' } });
  }
  expect(await host.call('Read', { file_path: 'a.txt' })).toMatchObject({ ok: true });
});
