import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Broker, createBroker } from '../../src/hosts/create-broker.ts';
import { noRun } from '../support/no-run.ts';

type CallResult = Awaited<ReturnType<Broker['call']>>;

let base: string;
let root: string;
let broker: Broker;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'paths-')));
  root = join(base, 'ws');
  await mkdir(root);
  broker = await createBroker({ root, run: noRun });
});
afterEach(() => broker.close());

const at = (name: string): string => join(root, name);
const read = (file_path: string): Promise<CallResult> => broker.call('Read', { file_path });
const write = (file_path: string, content = 'new\n'): Promise<CallResult> =>
  broker.call('Write', { file_path, content });
const edit = (file_path: string, old_string: string, new_string: string): Promise<CallResult> =>
  broker.call('Edit', { file_path, old_string, new_string });

describe('names', () => {
  test('a name that looks the same is read, and edited; a new file is never taken for an old one', async () => {
    await writeFile(at('Don’t panic.md'), 'calm\n');
    for (const name of ['Don’t panic.md', "Don't panic.md"]) expect(await read(name)).toMatchObject({ ok: true });
    await mkdir(at('views'));
    await writeFile(at('views/user.py'), 'old\n');
    expect(await write('views/users.py')).toMatchObject({ ok: true, receipt: { files: [{ op: 'create' }] } });
    expect(await readFile(at('views/user.py'), 'utf8')).toBe('old\n');
  });

  test('~ is the home folder, and outside; ~x is a name', async () => {
    expect(await read('~/f.txt')).toMatchObject({ ok: false, receipt: { code: 'denied' } });
    for (const path of ['~/g.txt', "'~/bin/x.sh'"]) {
      expect(await write(path)).toMatchObject({ ok: false, receipt: { code: 'denied' } });
    }
    expect(await write('~x')).toMatchObject({ ok: true });
    expect(await readdir(root)).toEqual(['~x']);
  });

  test('a tab in a path is a wrong call that says what was meant', async () => {
    await writeFile(at('training.ipynb'), '{}\n');
    for (const result of [
      await write('dir\training.ipynb'),
      await edit('dir\training.ipynb', '{}', '[]'),
      await read('dir\training.ipynb'),
    ]) {
      expect(result).toMatchObject({ ok: false, receipt: { code: 'invalid_arguments' } });
      expect(result.text).toContain('Did you mean dir\\training.ipynb?');
    }
    expect(await readdir(root)).toEqual(['training.ipynb']);
  });

  test('file: uris and odd characters lead to the same file', async () => {
    const name = 'a b%#ü.txt';
    await writeFile(at(name), 'one two\n');
    for (const path of [name, at(name), pathToFileURL(at(name)).href])
      expect((await read(path)).text).toContain('one two');
  });

  test('names on disk are exactly as asked', async () => {
    for (const name of ['src/Components/MyView.tsx', 'İzmir.md']) expect(await write(name)).toMatchObject({ ok: true });
    expect((await readdir(root)).sort()).toEqual(['src', 'İzmir.md']);
    expect(await readdir(at('src/Components'))).toEqual(['MyView.tsx']);
  });
});

describe('folders', () => {
  test('are made for a new file, but never below a file', async () => {
    expect(await write('new/a/b.md')).toMatchObject({ ok: true });
    expect(await readFile(at('new/a/b.md'), 'utf8')).toBe('new\n');
    await writeFile(at('reports'), 'a file\n');
    const refused = await write('reports/x.md');
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'not_found' } });
    expect(refused.text).toContain('reports is a file');
    expect(await readFile(at('reports'), 'utf8')).toBe('a file\n');
  });

  test.each(['.', 'folder'])('%s is no file to change', async (path) => {
    await mkdir(at('folder'));
    for (const result of [await write(path), await edit(path, 'aaaaa', 'b')]) {
      expect(result).toMatchObject({ ok: false, receipt: { code: 'is_directory' } });
    }
  });
});

describe('what leads out is denied at once, and both paths are named', () => {
  test.each(['vendor/notes.txt', '../outside/notes.txt', 'vendor/new.txt'])('%s', async (path) => {
    await mkdir(join(base, 'outside'));
    await writeFile(join(base, 'outside/notes.txt'), 'theirs\n');
    await symlink(join(base, 'outside'), at('vendor'));
    for (const result of [await read(path), await write(path), await edit(path, 'theirs', 'mine!')]) {
      expect(result).toMatchObject({ ok: false, receipt: { code: 'denied' } });
      expect(result.text).toContain(path);
      expect(result.text).toContain(join(base, 'outside'));
      expect(result.text).toContain('--allow');
    }
    expect(await readFile(join(base, 'outside/notes.txt'), 'utf8')).toBe('theirs\n');
    expect(await readdir(join(base, 'outside'))).toEqual(['notes.txt']);
  });

  test('pipes, devices and the windows on the kernel', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    for (const path of ['pipe', '/dev/zero', '/proc/self/environ']) {
      for (const result of [await read(path), await write(path)]) {
        expect(result).toMatchObject({ ok: false, receipt: { code: 'denied' } });
      }
    }
  });
});

describe('links', () => {
  test('inside are fine: the target changes, the link stays, and the answer names the file', async () => {
    await writeFile(at('AGENTS.md'), 'be brief\n');
    await symlink('AGENTS.md', at('CLAUDE.md'));
    const result = await edit('CLAUDE.md', 'be brief', 'be kind');
    expect(result).toMatchObject({ ok: true, receipt: { files: [{ path: 'AGENTS.md' }] } });
    expect(result.text).toContain('Edited CLAUDE.md (link to AGENTS.md)');
    expect(await readlink(at('CLAUDE.md'))).toBe('AGENTS.md');
    expect(await readFile(at('AGENTS.md'), 'utf8')).toBe('be kind\n');
  });

  test('hard ones stay one file', async () => {
    await writeFile(at('a.md'), 'line 1\n');
    await link(at('a.md'), at('b.md'));
    expect(await edit('a.md', 'line 1', 'line one')).toMatchObject({ ok: true });
    expect(await readFile(at('b.md'), 'utf8')).toBe('line one\n');
    expect((await lstat(at('a.md'))).ino).toBe((await lstat(at('b.md'))).ino);
  });
});

describe('what belongs to a file', () => {
  test('its mode is kept', async () => {
    await writeFile(at('s.sh'), '#!/bin/sh\necho a\n');
    await chmod(at('s.sh'), 0o755);
    expect(await edit('s.sh', 'echo a', 'echo b')).toMatchObject({ ok: true });
    expect((await stat(at('s.sh'))).mode & 0o7777).toBe(0o755);
  });

  test('a read-only file is refused as such', async () => {
    await writeFile(at('f.as'), 'old text\n');
    await chmod(at('f.as'), 0o444);
    for (const result of [await edit('f.as', 'old text', 'new'), await write('f.as')]) {
      expect(result).toMatchObject({ ok: false, receipt: { code: 'read_only' } });
      expect(result.text).toContain('f.as is a read-only file (mode 0444)');
    }
    expect(await readFile(at('f.as'), 'utf8')).toBe('old text\n');
  });
});

test('several roots: each may be named, relative paths start from the first', async () => {
  await mkdir(join(base, 'lib'));
  const both = await createBroker({ root: [root, join(base, 'lib')], run: noRun });
  expect(await both.call('Write', { file_path: join(base, 'lib/a.txt'), content: 'a\n' })).toMatchObject({ ok: true });
  expect(await both.call('Write', { file_path: 'a.txt', content: 'b\n' })).toMatchObject({ ok: true });
  expect(await readFile(at('a.txt'), 'utf8')).toBe('b\n');
  await both.close();
  const allowed = await createBroker({ root, run: noRun, allow: [join(base, 'lib')] });
  expect(await allowed.call('Edit', { file_path: '../lib/a.txt', old_string: 'a\n', new_string: 'c\n' })).toMatchObject(
    { ok: true },
  );
  await allowed.close();
});
