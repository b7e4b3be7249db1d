import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { residentSocket } from '../../src/hosts/resident-address.ts';
import { CLI, type Emend, emendFor } from '../support/emend.ts';
import { isRunning, until } from '../support/processes.ts';
import { makeProject, type Project } from '../support/project.ts';

function read(emend: Emend, project: Project, more: readonly string[] = []) {
  return emend.run(['call', 'Read', '{"file_path":"a.txt"}', '--root', project.root, ...more]);
}

/** The address as the command line sees it, whose state folder is the test's. */
function socketOf(emend: Emend, root: string): string {
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = emend.stateFolder;
  try {
    return residentSocket(root);
  } finally {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
  }
}

describe('the resident process of a root', () => {
  test('is started by the first call and found by the next', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    expect(await emend.resident(project.root)).toBeUndefined();
    expect((await read(emend, project)).stdout).toBe('1→alpha');
    const first = await emend.resident(project.root);
    expect((await read(emend, project)).stdout).toBe('1→alpha');
    expect(await emend.resident(project.root)).toBe(first);
  });

  test('is one, however many calls come first at the same time', async () => {
    const project = makeProject({ 'a.txt': 'line 0\nline 1\nline 2\nline 3\n' });
    const emend = emendFor(project.root);
    const edits = [0, 1, 2, 3].map((line) =>
      emend.run(['call', 'Edit', '-', '--root', project.root, '--json'], {
        input: JSON.stringify({ file_path: 'a.txt', old_string: `line ${line}`, new_string: `LINE ${line}` }),
      }),
    );
    const ids = (await Promise.all(edits)).map(({ stdout }) => JSON.parse(stdout).receipt.id);
    expect(new Set(ids).size).toBe(4);
    expect(project.read('a.txt')).toBe('LINE 0\nLINE 1\nLINE 2\nLINE 3\n');
    expect(readdirSync(join(emend.stateFolder, 'emend/run'))).toHaveLength(1);
    expect(await emend.resident(project.root)).toBeDefined();
  });

  test('that was killed leaves a socket which the next call survives', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    await read(emend, project);
    const first = (await emend.resident(project.root)) ?? 0;
    process.kill(first, 'SIGKILL');
    expect(await until(() => !isRunning(first), 2000)).toBe(true);
    expect(existsSync(socketOf(emend, project.root))).toBe(true);
    expect(await read(emend, project)).toMatchObject({ stdout: '1→alpha', stderr: '', exitCode: 0 });
    expect(await emend.resident(project.root)).not.toBe(first);
  });

  test('of another version is asked to retire, and replaced', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    const socket = socketOf(emend, project.root);
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
    await new Promise<void>((resolve) => old.listen(socket, resolve));
    expect(await read(emend, project)).toMatchObject({ stdout: '1→alpha', stderr: '', exitCode: 0 });
    expect(asked).toEqual(['retire']);
    expect(await emend.resident(project.root)).not.toBe(process.pid);
  });

  test('ends when nobody has used it for a while, and when it is told to', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    const idle = emend.start(['serve', '--root', project.root, '--idle', '300']);
    expect(await new Promise((resolve) => idle.once('exit', resolve))).toBe(0);
    expect(existsSync(socketOf(emend, project.root))).toBe(false);

    await read(emend, project);
    const pid = (await emend.resident(project.root)) ?? 0;
    const stopped = await emend.run(['serve', '--stop', '--root', project.root]);
    expect(stopped).toMatchObject({ stdout: expect.stringContaining(`stopped: emend`), exitCode: 0 });
    expect(await until(() => !isRunning(pid), 2000)).toBe(true);
    expect(await emend.run(['serve', '--stop', '--root', project.root])).toMatchObject({ exitCode: 1 });
  });

  test('keeps its socket in a folder that is the user’s alone', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    await read(emend, project);
    expect(statSync(join(emend.stateFolder, 'emend')).mode & 0o777).toBe(0o700);
    expect(statSync(join(emend.stateFolder, 'emend/run')).mode & 0o777).toBe(0o700);
  });

  test.runIf(process.getuid?.() === 0)('is not talked to where the socket is another user’s', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    await read(emend, project);
    chownSync(socketOf(emend, project.root), 12_345, 12_345);
    const result = await read(emend, project);
    expect(result.stderr).toMatch(/could be another user's.*all stays in this one/);
    expect(result.stdout).toBe('1→alpha');
    chownSync(socketOf(emend, project.root), 0, 0);
  });

  test('can be reached where the path of the state folder is too long for a socket', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const base = mkdtempSync(join(tmpdir(), 'emend-long-'));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    const long = join(base, 'a'.repeat(120));
    mkdirSync(long);
    const emend = emendFor(project.root, long);
    expect(await read(emend, project)).toMatchObject({ stdout: '1→alpha', stderr: '' });
    expect(Buffer.byteLength(socketOf(emend, project.root))).toBeLessThanOrEqual(100);
    expect(await emend.resident(project.root)).toBeDefined();
  });

  test('serves a caller in a folder below, confined to that folder', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n', 'sub/a.txt': 'beta\n' });
    const emend = emendFor(project.root);
    await read(emend, project);
    const below = ['--root', project.path('sub')];
    const edit = JSON.stringify({ file_path: 'a.txt', old_string: 'beta', new_string: 'gamma' });
    expect((await emend.run(['call', 'Edit', edit, ...below])).stdout).toMatch(/^Edited a\.txt .*\[e2\]/);
    const outside = JSON.stringify({ file_path: '../a.txt', old_string: 'alpha', new_string: 'x' });
    const refused = await emend.run(['call', 'Edit', outside, ...below]);
    expect(refused.stdout).toMatch(/^Error denied: /);
    expect(refused.exitCode).toBe(1);
    expect(project.read('a.txt')).toBe('alpha\n');
    expect(await emend.resident(project.path('sub'))).toBeUndefined();
  });

  test('serves on when a caller vanishes in the middle', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    await read(emend, project);
    const first = await emend.resident(project.root);
    const vanishing = emend.start(['call', 'Read', '-', '--root', project.root]);
    await new Promise((resolve) => vanishing.once('spawn', resolve));
    vanishing.kill('SIGKILL');
    expect((await read(emend, project)).stdout).toBe('1→alpha');
    expect(await emend.resident(project.root)).toBe(first);
  });

  test('--in-process starts none', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const emend = emendFor(project.root);
    expect((await read(emend, project, ['--in-process'])).stdout).toBe('1→alpha');
    expect(await emend.resident(project.root)).toBeUndefined();
    expect(CLI).toContain('dist');
  });
});
