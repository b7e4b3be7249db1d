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
import { beforeEach, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import type { StoreOutcome } from '../../src/workspace/document-store.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'disk-store-')));
});

const store = createDiskStore();
const at = (...parts: string[]): string => join(root, ...parts);

/** Writes as an edit does: compared with what was there. */
async function write(path: string, text: string, base?: string | null): Promise<StoreOutcome> {
  const bytes = base === undefined ? await readFile(path) : base === null ? undefined : Buffer.from(base);
  return store.write(path, { base: bytes ? { kind: 'file', bytes } : null, bytes: Buffer.from(text), edits: [] });
}

describe('replacing a file', () => {
  test.each([0o644, 0o755, 0o600, 0o4755, 0o664])('keeps the mode %o, and leaves nothing beside it', async (mode) => {
    await writeFile(at('a.sh'), 'old');
    await chmod(at('a.sh'), mode);
    expect(await write(at('a.sh'), 'new')).toEqual({ status: 'written' });
    expect(await readFile(at('a.sh'), 'utf8')).toBe('new');
    expect((await stat(at('a.sh'))).mode & 0o7777).toBe(mode);
    expect(await readdir(root)).toEqual(['a.sh']);
  });

  test('through a link it is the target that changes, and the link stays', async () => {
    await writeFile(at('real'), 'old');
    await symlink('real', at('link'));
    expect(await write(at('link'), 'new')).toEqual({ status: 'written' });
    expect((await lstat(at('link'))).isSymbolicLink()).toBe(true);
    expect(await readlink(at('link'))).toBe('real');
    expect(await readFile(at('real'), 'utf8')).toBe('new');
  });

  test('hard links stay one file', async () => {
    await writeFile(at('a.md'), 'line 1\n');
    await link(at('a.md'), at('b.md'));
    const inode = (await stat(at('a.md'))).ino;
    for (const text of ['line 1 and more\n', 'less\n', '']) {
      expect(await write(at('a.md'), text)).toEqual({ status: 'written' });
      expect(await readFile(at('b.md'), 'utf8')).toBe(text);
    }
    expect((await stat(at('b.md'))).ino).toBe(inode);
    expect(await readdir(root)).toEqual(['a.md', 'b.md']);
  });

  test.each([
    ['other content', (path: string) => writeFile(path, 'theirs'), 'theirs'],
    ['nothing', async (path: string) => (await import('node:fs/promises')).rm(path), undefined],
  ])('changes nothing where %s is there by now', async (_what, meanwhile, left) => {
    await writeFile(at('a'), 'mine');
    await meanwhile(at('a'));
    expect(await write(at('a'), 'new', 'mine')).toEqual({ status: 'changed' });
    expect(await readFile(at('a'), 'utf8').catch(() => undefined)).toBe(left);
  });

  test('a read-only file is refused, by its mode, for root too', async () => {
    await writeFile(at('a'), 'old');
    await chmod(at('a'), 0o444);
    await expect(write(at('a'), 'new')).rejects.toMatchObject({
      code: 'read_only',
      message: expect.stringContaining(`${at('a')} is a read-only file (mode 0444)`),
    });
    expect(await readFile(at('a'), 'utf8')).toBe('old');
  });
});

describe('making a file', () => {
  test('with the folders above it', async () => {
    expect(await write(at('new', 'a', 'b.md'), 'text', null)).toMatchObject({ status: 'written' });
    expect(await readFile(at('new/a/b.md'), 'utf8')).toBe('text');
    expect(await readdir(at('new/a'))).toEqual(['b.md']);
  });

  test('not over one that is there', async () => {
    await writeFile(at('a'), 'theirs');
    expect(await write(at('a'), 'mine', null)).toEqual({ status: 'changed' });
    expect(await readFile(at('a'), 'utf8')).toBe('theirs');
    expect(await readdir(root)).toEqual(['a']);
  });

  test('below a file is refused, and nothing is made', async () => {
    await writeFile(at('reports'), 'a file');
    await expect(write(at('reports', 'x.md'), 'x', null)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining(`${at('reports')} is a file, not a folder`),
    });
    expect(await readdir(root)).toEqual(['reports']);
  });

  test('through a link that leads nowhere yet', async () => {
    await mkdir(at('d'));
    await symlink('d/later', at('link'));
    expect(await write(at('link'), 'x', null)).toEqual({ status: 'written' });
    expect(await readFile(at('d/later'), 'utf8')).toBe('x');
    expect((await lstat(at('link'))).isSymbolicLink()).toBe(true);
  });

  test('names on disk are exactly as asked', async () => {
    for (const name of ['İzmir.md', 'MyView.tsx', '~x', 'it\'s "q".md']) await write(at(name), 'x', null);
    expect((await readdir(root)).sort()).toEqual(['İzmir.md', 'MyView.tsx', '~x', 'it\'s "q".md'].sort());
  });
});

describe('reading', () => {
  test.each([
    ['absent', 'not_found', /there is no such file/],
    ['.', 'is_directory', /is a folder/],
    ['file/below', 'not_found', /is a file, not a folder/],
  ])('%s is refused as %s', async (name, code, message) => {
    await writeFile(at('file'), 'x');
    await expect(store.read(at(name))).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('a pipe or a device is refused at once', async () => {
    await expect(store.read('/dev/zero')).rejects.toMatchObject({ code: 'denied', message: /device/ });
  });

  test('a stretch of bytes, fewer where the file ends', async () => {
    await writeFile(at('a'), '0123456789');
    expect(Buffer.from(await store.readBytes(at('a'), 3, 4)).toString()).toBe('3456');
    expect(Buffer.from(await store.readBytes(at('a'), 8, 4)).toString()).toBe('89');
    expect(await store.readBytes(at('a'), 20, 4)).toHaveLength(0);
  });

  test('what stands where, and what is in a folder', async () => {
    await mkdir(at('d'));
    await writeFile(at('a'), 'abc');
    await symlink('nowhere', at('link'));
    expect(await store.stat(at('a'))).toMatchObject({ kind: 'file', size: 3 });
    expect(await store.stat(at('d'))).toMatchObject({ kind: 'directory' });
    expect(await store.stat('/dev/null')).toMatchObject({ kind: 'other' });
    expect(await store.stat(at('link'))).toBeUndefined();
    expect(await store.stat(at('a/b'))).toBeUndefined();
    expect(await store.list(root)).toEqual([
      { name: 'a', kind: 'file' },
      { name: 'd', kind: 'directory' },
      { name: 'link', kind: 'link' },
    ]);
  });
});

test('a write that leads out is denied when it is made', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(outside, 'x'), 'old');
  await symlink(outside, at('d'));
  const confined = createDiskStore({ allows: (path) => path.startsWith(root) });
  const base = { kind: 'file', bytes: Buffer.from('old') } as const;
  await expect(confined.write(at('d/x'), { base, bytes: Buffer.from('new'), edits: [] })).rejects.toMatchObject({
    code: 'denied',
  });
  await expect(confined.read(at('d/x'))).rejects.toMatchObject({ code: 'denied' });
  expect(await readFile(join(outside, 'x'), 'utf8')).toBe('old');
});
