import { mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import type { StoreOutcome } from '../../src/workspace/document-store.ts';
import { createDocuments } from '../../src/workspace/documents.ts';
import { type BufferEdit, createOverlayStore, type OverlayStore } from '../../src/workspace/overlay-store.ts';
import { applySpanEdits } from '../../src/workspace/span.ts';

const DISK = 'on disk\n';
const BUFFER = 'in the buffer\n';
let path: string;
beforeEach(async () => {
  path = join(await realpath(await mkdtemp(join(tmpdir(), 'overlay-'))), 'a.ts');
  await writeFile(path, DISK);
});

type Editor = (edit: BufferEdit, store: OverlayStore) => Promise<boolean> | boolean;

/** An overlay with the file open in an editor that answers edits in its way. */
function overlay(editor: Editor): OverlayStore {
  const store: OverlayStore = createOverlayStore(createDiskStore(), {
    landingMs: 40,
    applyEdit: async (edit) => ({ applied: await editor(edit, store) }),
  });
  store.buffers.open(path, BUFFER, 7);
  return store;
}

async function edit(store: OverlayStore): Promise<StoreOutcome> {
  const base = await store.read(path);
  const edits = [{ start: 0, end: 2, newText: 'IN' }];
  return store.write(path, { base, bytes: Buffer.from('never on disk'), edits });
}

const takes: Editor = (change, store) => {
  store.buffers.change(change.path, applySpanEdits(change.text, change.edits), change.version + 1);
  return true;
};

describe('reading', () => {
  test('sees the buffer where one is open, and the disk again once it is closed', async () => {
    const store = overlay(takes);
    expect(await store.read(path)).toEqual({ kind: 'buffer', text: BUFFER, version: 7 });
    expect(await store.stat(path)).toMatchObject({ kind: 'file', size: BUFFER.length });
    expect(Buffer.from(await store.readBytes(path, 3, 3)).toString()).toBe('the');
    store.buffers.close(path);
    expect(await store.read(path)).toEqual({ kind: 'file', bytes: Buffer.from(DISK) });
    expect(Buffer.from(await store.readBytes(path, 3, 4)).toString()).toBe('disk');
  });

  test('a buffer that was never saved is a file too', async () => {
    const store = overlay(takes);
    const unsaved = join(path, '..', 'b.ts');
    store.buffers.open(unsaved, 'new', 1);
    expect(await store.stat(unsaved)).toMatchObject({ kind: 'file', size: 3 });
    expect(await store.list(join(path, '..'))).toEqual([
      { name: 'a.ts', kind: 'file' },
      { name: 'b.ts', kind: 'file' },
    ]);
  });
});

describe('writing to an open buffer', () => {
  test('is written when the buffer shows it; the editor gets the version and the edits, the disk nothing', async () => {
    const asked: BufferEdit[] = [];
    const store = overlay((change, over) => {
      asked.push(change);
      return takes(change, over);
    });
    expect(await edit(store)).toEqual({ status: 'written' });
    expect(asked).toEqual([{ path, version: 7, text: BUFFER, edits: [{ start: 0, end: 2, newText: 'IN' }] }]);
    expect(await store.read(path)).toMatchObject({ text: 'IN the buffer\n', version: 8 });
    expect(await readFile(path, 'utf8')).toBe(DISK);
  });

  test.each<[string, Editor, StoreOutcome]>([
    ['an editor that refuses', () => false, { status: 'changed', why: 'the editor refused the edit' }],
    [
      'an editor that says yes and drops it',
      () => true,
      { status: 'changed', why: 'the edit did not show in the buffer' },
    ],
    [
      'an editor that fails',
      () => Promise.reject(new Error('gone')),
      { status: 'changed', why: 'the editor refused the edit' },
    ],
    [
      'an editor that never answers',
      () => new Promise(() => undefined),
      { status: 'changed', why: 'the edit did not show in the buffer' },
    ],
    [
      'a buffer that is closed instead',
      (_change, store) => {
        store.buffers.close(path);
        return true;
      },
      { status: 'changed', why: 'the edit did not show in the buffer' },
    ],
  ])('%s: changed, and the disk is as it was', async (_what, editor, outcome) => {
    const store = overlay(editor);
    expect(await edit(store)).toEqual(outcome);
    expect(await readFile(path, 'utf8')).toBe(DISK);
  });

  test('an answer that never comes is no matter when the buffer shows the change', async () => {
    const store = overlay((change, over) => {
      takes(change, over);
      return new Promise(() => undefined);
    });
    expect(await edit(store)).toEqual({ status: 'written' });
  });

  test('what is typed after the change does not hide it', async () => {
    const store = overlay((change, over) => {
      takes(change, over);
      over.buffers.change(path, 'IN the buffer, typed\n', 9);
      return true;
    });
    expect(await edit(store)).toEqual({ status: 'written' });
    expect(await store.read(path)).toMatchObject({ text: 'IN the buffer, typed\n' });
  });
});

describe('while a person types', () => {
  const typed = (start: number, newText: string) => [{ start, end: start, newText }];

  test('elsewhere: an edit that the editor drops for its version can be planned anew at once', async () => {
    const store = overlay((change, over) => {
      over.buffers.edit(path, typed(14, 'x'), change.version + 1);
      return true;
    });
    expect(await edit(store)).toEqual({ status: 'changed', why: 'it is being typed in', again: 'at_once' });
  });

  test('in one message with the edit: it is seen between the steps', async () => {
    const store = overlay((change, over) => {
      over.buffers.edit(path, [...change.edits, ...typed(14, 'x')], change.version + 1);
      return true;
    });
    expect(await edit(store)).toEqual({ status: 'written' });
    expect(await store.read(path)).toMatchObject({ text: 'IN the buffer\nx' });
  });

  test('at its place, and never exactly the edit: it is not known, so it is not tried again', async () => {
    const store = overlay((change, over) => {
      over.buffers.edit(path, [{ start: 0, end: 2, newText: 'INN' }], change.version + 1);
      return true;
    });
    expect(await edit(store)).toEqual({
      status: 'changed',
      why: 'it was typed in just where the edit was to go',
      again: 'never',
    });
  });
});

describe('a base that is gone', () => {
  const change = (base: Awaited<ReturnType<OverlayStore['read']>> | null) => ({
    base,
    bytes: Buffer.from('x'),
    edits: [{ start: 0, end: 0, newText: 'x' }],
  });

  test('the buffer was typed in: changed, with good prospects for a new plan, and no one is asked', async () => {
    const store = overlay(() => {
      throw new Error('asked');
    });
    store.buffers.change(path, 'typed', 8);
    expect(await store.write(path, change({ kind: 'buffer', text: BUFFER, version: 7 }))).toEqual({
      status: 'changed',
      why: 'it is being typed in',
      again: 'at_once',
    });
    expect(await readFile(path, 'utf8')).toBe(DISK);
  });

  test.each<[string, (store: OverlayStore) => void, Parameters<typeof change>[0]]>([
    ['the buffer was closed', (store) => store.buffers.close(path), { kind: 'buffer', text: BUFFER, version: 7 }],
    ['the file was opened', () => undefined, { kind: 'file', bytes: Buffer.from(DISK) }],
    ['there was to be no file', () => undefined, null],
  ])('%s: changed, and no one is asked', async (_what, meanwhile, base) => {
    const store = overlay(() => {
      throw new Error('asked');
    });
    meanwhile(store);
    expect(await store.write(path, change(base))).toEqual({ status: 'changed' });
    expect(await readFile(path, 'utf8')).toBe(DISK);
  });
});

test('versions only grow, and only of what is open', () => {
  const store = overlay(takes);
  expect(() => store.buffers.change(path, 'x', 7)).toThrow(/version 7 follows 7/);
  expect(() => store.buffers.change('/other', 'x', 1)).toThrow(/never opened/);
});

test('a buffer with half of a character is told with its line, since no file can hold it', async () => {
  const store = overlay(takes);
  store.buffers.open(path, 'one\r\ntwo \ud83d\n', 8);
  expect(await createDocuments(store).open(path)).toEqual({
    status: 'encoding',
    message: "the editor holds half of a character at L2, which can't be saved. Delete it there",
  });
});
