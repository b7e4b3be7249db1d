import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { editTool } from '../../src/tools/edit.ts';
import { multiEditTool } from '../../src/tools/multi-edit.ts';
import { undoTool } from '../../src/tools/undo.ts';
import { writeTool } from '../../src/tools/write.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';
import { textsOf } from '../support/tree.ts';

let room: ToolRoom;
beforeEach(async () => {
  room = await openToolRoom({
    '.editorconfig': 'root = true\n[*.py]\nindent_style = tab\n',
    'src/b.txt': 'one\ntwo\nthree\n',
    'dos.txt': 'one\r\ntwo\r\n',
    'bare.txt': 'one\ntwo',
  });
  symlinkSync('b.txt', join(room.folder, 'src/a.txt'));
});
afterEach(() => room.close());

describe('a new file that is indented in another way than the project asks for', () => {
  const content = 'if x:\n    y\n';
  test.each([
    ['Write', () => room.call(writeTool, { file_path: 'n.py', content })],
    ['Edit', () => room.call(editTool, { file_path: 'n.py', old_string: '', new_string: content })],
    [
      'MultiEdit',
      () => room.call(multiEditTool, { edits: [{ file_path: 'n.py', old_string: '', new_string: content }] }),
    ],
    [
      'apply_patch',
      () => room.call(applyPatchTool, { input: '*** Begin Patch\n*** Add File: n.py\n+if x:\n+    y\n*** End Patch' }),
    ],
  ])('is written as it is, and %s says so', async (_, create) => {
    const result = await create();
    expect(result.text).toContain('note: .editorconfig asks for tabs here; this content is indented with spaces');
    expect(textsOf(room.folder)['n.py']).toBe(content);
  });
});

describe('Write over a file with other line ends', () => {
  test('keeps them, and says so', async () => {
    const result = await room.call(writeTool, { file_path: 'dos.txt', content: 'one\n2\n' });
    expect(result.text).toContain('\nnote: line ends kept as CRLF\n');
    expect(textsOf(room.folder)['dos.txt']).toBe('one\r\n2\r\n');
  });

  test('says nothing where there was nothing to keep', async () => {
    const same = await room.call(writeTool, { file_path: 'dos.txt', content: 'one\r\n2\r\n' });
    const other = await room.call(writeTool, { file_path: 'src/b.txt', content: 'one\n2\n' });
    expect(`${same.text}${other.text}`).not.toContain('line ends');
  });

  test('says how the old content comes back where it was not read', async () => {
    const written = await room.call(writeTool, { file_path: 'dos.txt', content: 'x\r\n' });
    const id = /Undo (\{"id":"e\d+"\})/.exec(written.text)?.[1] ?? '';
    expect(await room.call(undoTool, JSON.parse(id))).toMatchObject({ ok: true });
    expect(textsOf(room.folder)['dos.txt']).toBe('one\r\ntwo\r\n');
  });
});

describe('a last newline that comes or goes is shown', () => {
  test.each([
    ['src/b.txt', 'three\n', 'three', /3-three\n3\+three\n\\ No newline at end of file/],
    ['bare.txt', 'two', 'two\n', /2-two\n\\ No newline at end of file\n2\+two$/],
    ['bare.txt', 'two', 'two\nthree', /2-two\n\\ No newline.*\n2\+two\n3\+three\n\\ No newline/],
  ])('%s: %j becomes %j', async (file_path, old, now, expected) => {
    const text = textsOf(room.folder)[file_path] ?? '';
    const hunk = [
      ...old
        .split('\n')
        .filter(Boolean)
        .map((line) => `-${line}`),
    ];
    const come = now
      .split('\n')
      .filter(Boolean)
      .map((line) => `+${line}`);
    const mark = '\\ No newline at end of file';
    const input = [
      `--- a/${file_path}`,
      `+++ b/${file_path}`,
      `@@ -${text.split('\n').length - (text.endsWith('\n') ? 1 : 0)} +1 @@`,
      ...hunk,
      ...(old.endsWith('\n') ? [] : [mark]),
      ...come,
      ...(now.endsWith('\n') ? [] : [mark]),
      '',
    ].join('\n');
    const result = await room.call(applyPatchTool, { input });
    expect(result.text).toMatch(expected);
    expect(textsOf(room.folder)[file_path]).toBe(text.replace(old, now));
  });

  test('one that stays away is not', async () => {
    const result = await room.call(editTool, { file_path: 'bare.txt', old_string: 'two', new_string: '2' });
    expect(result.text).not.toContain('No newline');
  });
});

describe('a file that is named by a link', () => {
  test('is told with both names', async () => {
    const edited = await room.call(editTool, { file_path: 'src/a.txt', old_string: 'two', new_string: '2' });
    expect(edited.text).toMatch(/^Edited src\/a\.txt \(link to src\/b\.txt\) \(\+1 -1\) L2 \[e\d+\]/);
    expect(edited.receipt.files).toMatchObject([{ path: 'src/b.txt', link: 'src/a.txt' }]);
    const written = await room.call(writeTool, { file_path: 'src/a.txt', content: 'x\n' });
    expect(written.text).toMatch(/^Overwrote src\/a\.txt \(link to src\/b\.txt\) \(\+1 -3\)/);
  });
});

describe('Undo', () => {
  test('without an id where this session changed nothing asks for one', async () => {
    const refused = await room.call(undoTool, {});
    expect(refused.text).toBe(
      "Error not_found: this session has no change left to undo. Another session's is named by the id that its answer has in brackets.",
    );
  });

  test('of an id that is not kept says where ids stand', async () => {
    expect((await room.call(undoTool, { id: '[e99]' })).text).toBe(
      'Error not_found: no change with the id "e99" is kept here. A change is named by the id that its answer has in brackets.',
    );
  });
});
