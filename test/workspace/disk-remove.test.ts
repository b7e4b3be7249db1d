import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import type { StoredContent } from '../../src/workspace/document-store.ts';
import { createOverlayStore } from '../../src/workspace/overlay-store.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'disk-remove-')));
});

const store = createDiskStore();
const at = (...parts: string[]): string => join(root, ...parts);
const content = (text: string): StoredContent => ({ kind: 'file', bytes: Buffer.from(text) });

describe('removing a file', () => {
  test('takes away a file that has the content, and nothing else', async () => {
    await writeFile(at('a'), 'one');
    await writeFile(at('b'), 'two');
    expect(await store.remove(at('a'), content('one'))).toEqual({ status: 'written' });
    expect(await readdir(root)).toEqual(['b']);
  });

  test.each([
    ['has other content', 'other'],
    ['is gone', undefined],
  ])('leaves everything as it is where the file %s', async (_what, text) => {
    if (text !== undefined) await writeFile(at('a'), text);
    expect(await store.remove(at('a'), content('one'))).toMatchObject({ status: 'changed' });
    if (text !== undefined) expect(await readFile(at('a'), 'utf8')).toBe(text);
  });

  test('takes the folders that a write made with it, as far as they are empty', async () => {
    await mkdir(at('old'));
    const written = await store.write(at('old/x/y/a'), { base: null, bytes: Buffer.from('one'), edits: [] });
    expect(written).toEqual({ status: 'written', made: [at('old/x'), at('old/x/y')] });
    await writeFile(at('old/x/mine'), '');
    await store.remove(at('old/x/y/a'), content('one'), [at('old/x'), at('old/x/y')]);
    expect(await readdir(at('old/x'))).toEqual(['mine']);
  });

  test('beneath an open buffer nothing is removed', async () => {
    await writeFile(at('a'), 'one');
    const overlay = createOverlayStore(store, { applyEdit: async () => ({ applied: true }) });
    overlay.buffers.open(at('a'), 'one', 1);
    expect(await overlay.remove(at('a'), content('one'))).toMatchObject({ status: 'changed' });
    expect(await readdir(root)).toEqual(['a']);
  });
});

describe('a new file', () => {
  test.each([0o755, 0o600, 0o664])('has the mode that it is given: %o', async (mode) => {
    await store.write(at('a'), { base: null, bytes: Buffer.from('one'), edits: [], mode });
    expect((await stat(at('a'))).mode & 0o7777).toBe(mode);
    expect(await store.stat(at('a'))).toMatchObject({ mode });
  });
});

test('what a writer that died left behind is swept when asked, whatever was swept before', async () => {
  await chmod(root, 0o755);
  await store.tidy?.(root);
  const dead = `.emend-${(await import('../../src/workspace/local-process-identity.ts')).ownProcess.split('.')[0]}.4194303.1-abc.tmp`;
  await writeFile(at(dead), 'half');
  await store.tidy?.(root);
  expect(await readdir(root)).toEqual([]);
});
