import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { multiEditTool } from '../../src/tools/multi-edit.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';
import { textsOf } from '../support/tree.ts';

let room: ToolRoom;
beforeEach(async () => {
  room = await openToolRoom({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'red\r\ngreen\r\n', 'sub/c.txt': 'x\n' });
});
afterEach(() => room.close());

const edit = (old_string: string, new_string: string, file_path?: string) => ({
  old_string,
  new_string,
  ...(file_path !== undefined && { file_path }),
});

describe('several edits at once', () => {
  test('of one file, in order, each on the result of the one before', async () => {
    const edits = [edit('two', '2\n2b'), edit('2b\nthree', '2b\n3')];
    const result = await room.call(multiEditTool, { file_path: 'a.txt', edits });
    expect(textsOf(room.folder)['a.txt']).toBe('one\n2\n2b\n3\n');
    expect(result.text).toMatch(/^Edited a\.txt \(\+3 -2\) L2-4 \[e\d+\]\n/);
  });

  test('of several files, and one that is new', async () => {
    const edits = [
      edit('two', '2', 'a.txt'),
      edit('green', 'blue', 'b.txt'),
      edit('', 'new\n', 'new/d.txt'),
      edit('one', '1', './a.txt'),
    ];
    const { ok, text, receipt } = await room.call(multiEditTool, { edits });
    expect(ok).toBe(true);
    expect(textsOf(room.folder)).toEqual({
      'a.txt': '1\n2\nthree\n',
      'b.txt': 'red\r\nblue\r\n',
      'sub/c.txt': 'x\n',
      'new/d.txt': 'new\n',
    });
    expect(receipt.files.map(({ path, op }) => `${op} ${path}`)).toEqual([
      'edit a.txt',
      'edit b.txt',
      'create new/d.txt',
    ]);
    expect(receipt.undo).toBe(receipt.id);
    expect(text.match(/^(?:Edited|Created) .*\[e\d+\]$/gm)).toHaveLength(3);
  });

  test('the names and the forms of other families are understood', async () => {
    const edits = JSON.stringify([{ filePath: 'a.txt', oldString: 'two', newString: '2', replaceAll: 'true' }]);
    expect((await room.call(multiEditTool, { edits })).ok).toBe(true);
    expect(textsOf(room.folder)['a.txt']).toBe('one\n2\nthree\n');
  });
});

describe('what a plan can not know is told of its edit, with the path as results show it', () => {
  test.each<[string, () => void, ReturnType<typeof edit>, string]>([
    [
      'read-only',
      () => chmodSync(join(room.folder, 'sub/c.txt'), 0o444),
      edit('x', 'y', 'sub/c.txt'),
      'Error read_only: edit 2 of 2 (sub/c.txt). No file was changed. sub/c.txt is a read-only file (mode 0444). chmod u+w it first if it is to change',
    ],
    [
      'a folder',
      () => undefined,
      edit('x', 'y', 'sub'),
      'Error is_directory: edit 2 of 2 (sub). No file was changed. sub is a folder. Name a file in it',
    ],
    [
      'NUL',
      () => undefined,
      edit('x', 'y\0', 'sub/c.txt'),
      'Error binary: edit 2 of 2 (sub/c.txt). No file was changed. sub/c.txt: the new text has a NUL character',
    ],
    [
      'an encoding that has no such character',
      () => writeFileSync(join(room.folder, 'sub/c.txt'), Buffer.from('caf\xe9, na\xefve, d\xe9j\xe0 vu\n', 'latin1')),
      edit('vu', '\u4e2d', 'sub/c.txt'),
      'Error encoding: edit 2 of 2 (sub/c.txt). No file was changed. sub/c.txt: ',
    ],
  ])('%s', async (_what, prepare, second, message) => {
    prepare();
    const before = textsOf(room.folder);
    const { ok, text } = await room.call(multiEditTool, { edits: [edit('two', '2', 'a.txt'), second] });
    expect(ok).toBe(false);
    expect(text.slice(0, message.length)).toBe(message);
    expect(text).not.toContain(room.folder);
    expect(textsOf(room.folder)).toEqual(before);
  });
});

describe('all or nothing', () => {
  test.each([
    [
      'one does not fit',
      { edits: [edit('two', '2', 'a.txt'), edit('green', 'blue', 'b.txt'), edit('purple', 'p', 'b.txt')] },
      /^Error no_match: edit 3 of 3 \(b\.txt\)\. No file was changed\. (?!old_string is not in)/,
    ],
    [
      'a file is not there',
      { edits: [edit('two', '2', 'a.txt'), edit('x', 'y', 'gone.txt')] },
      /^Error not_found: edit 2 of 2 \(gone\.txt\)\. No file was changed\. /,
    ],
    [
      'one changes what an earlier one wrote',
      { file_path: 'a.txt', edits: [edit('two', 'second'), edit('second', '2')] },
      /^Error conflict: edit 2 of 2 \(a\.txt\)\. No file was changed\. It changes what an earlier edit/,
    ],
    [
      'one is ambiguous',
      { edits: [edit('two', '2', 'a.txt'), edit('re', 'RE', 'b.txt')] },
      /^Error ambiguous: edit 2 of 2 \(b\.txt\)\. No file was changed\. 2 places fit/,
    ],
    [
      'one changes the file that an earlier one makes',
      { edits: [edit('', 'hello\n', 'made/n.txt'), edit('hello', 'bye', 'made/n.txt')] },
      /^Error conflict: edit 2 of 2 \(made\/n\.txt\)\. No file was changed\. It changes what an earlier edit/,
    ],
    ['one names no file', { edits: [edit('two', '2')] }, /^Error invalid_arguments: edit 1 of 1 names no file/],
    ['there is none', { edits: [] }, /^Error invalid_arguments: /],
    [
      'an edit has a parameter that there is not',
      { edits: [{ ...edit('a', 'b', 'a.txt'), x: 1 }] },
      /^Error invalid_arguments: .*"x"/,
    ],
    ['a path is outside', { edits: [edit('two', '2', 'a.txt'), edit('', 'x', '../../etc/x')] }, /^Error denied: /],
    [
      'a single edit does not fit',
      { edits: [edit('nothing like this', '2', 'a.txt')] },
      /^Error no_match: old_string is not in a\.txt/,
    ],
  ])('where %s', async (_what, args, message) => {
    const before = textsOf(room.folder);
    const result = await room.call(multiEditTool, args);
    expect(result.text).toMatch(message);
    expect(result.receipt).toMatchObject({ ok: false, files: [] });
    expect(textsOf(room.folder)).toEqual(before);
  });
});

test('a dry run shows the diff, and writes nothing', async () => {
  const before = textsOf(room.folder);
  const edits = [edit('two', '2', 'a.txt'), edit('', 'new\n', 'd.txt')];
  const { ok, text, receipt } = await room.call(multiEditTool, { edits, dry_run: true });
  expect(ok).toBe(true);
  expect(text).toMatch(/^Dry run: nothing was written\.\nWould edit a\.txt \(\+1 -1\) L2\n--- a\.txt/);
  expect(text).toContain('-two\n+2');
  expect(text).toContain('Would create d.txt (1 line)');
  expect(receipt).toMatchObject({ ok: true, dry_run: true });
  expect(receipt.undo).toBeUndefined();
  expect(textsOf(room.folder)).toEqual(before);
});
