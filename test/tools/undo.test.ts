import { chmodSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { editTool } from '../../src/tools/edit.ts';
import { multiEditTool } from '../../src/tools/multi-edit.ts';
import { undoTool } from '../../src/tools/undo.ts';
import { writeTool } from '../../src/tools/write.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';
import { treeOf } from '../support/tree.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';

let room: ToolRoom;
beforeEach(async () => {
  room = await openToolRoom({
    'a.txt': LINES,
    'crlf.txt': '\ufeffred\r\ngreen',
    'run.sh': '#!/bin/sh\n',
    'gone.bin': new Uint8Array([0, 1, 2, 0]),
    'latin.txt': Buffer.from('caf\xe9 au lait, na\xefve\n', 'latin1'),
  });
  chmodSync(join(room.folder, 'run.sh'), 0o755);
  chmodSync(join(room.folder, 'a.txt'), 0o640);
});
afterEach(() => room.close());

const at = (name: string): string => join(room.folder, name);
const CHANGES = {
  'an edit': () => room.call(editTool, { file_path: 'crlf.txt', old_string: 'green', new_string: 'blue\nblack' }),
  'an edit in an encoding that is a guess': () =>
    room.call(editTool, { file_path: 'latin.txt', old_string: 'au lait', new_string: 'with milk' }),
  'a file that was written over': () => room.call(writeTool, { file_path: 'run.sh', content: '#!/bin/bash\necho\n' }),
  'a new file in new folders': () => room.call(writeTool, { file_path: 'new/er/x.txt', content: 'x\n' }),
  'several edits': () =>
    room.call(multiEditTool, {
      edits: [
        { file_path: 'a.txt', old_string: 'two', new_string: '2' },
        { file_path: 'crlf.txt', old_string: 'red', new_string: 'RED' },
      ],
    }),
  'a patch that adds, changes, moves and deletes': () =>
    room.call(applyPatchTool, {
      input: [
        '*** Begin Patch',
        '*** Add File: fresh/n.txt',
        '+n',
        '*** Update File: run.sh',
        '*** Move to: bin/run',
        '@@',
        ' #!/bin/sh',
        '+exit 0',
        '*** Delete File: gone.bin',
        '*** Update File: a.txt',
        '@@',
        '-four',
        '+4',
        '*** End Patch',
      ].join('\n'),
    }),
} as const;

describe('undo', () => {
  test.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])(
    'takes back %s, bytes and modes, and can be undone',
    async (name) => {
      const before = treeOf(room.folder);
      const change = await CHANGES[name]();
      expect(change).toMatchObject({ ok: true });
      const after = treeOf(room.folder);
      expect(after).not.toEqual(before);

      const undone = await room.call(undoTool, { id: change.receipt.id });
      expect(undone.text).toMatch(new RegExp(`note: ${change.receipt.id} is undone`));
      expect(treeOf(room.folder)).toEqual(before);

      expect(await room.call(undoTool, { id: `[${undone.receipt.id}]` })).toMatchObject({ ok: true });
      expect(treeOf(room.folder)).toEqual(after);
    },
  );

  test('without an id goes back one change after the other', async () => {
    const before = treeOf(room.folder);
    await room.call(editTool, { file_path: 'a.txt', old_string: 'two', new_string: '2' });
    await room.call(editTool, { file_path: 'a.txt', old_string: 'four', new_string: '4' });
    expect(await room.call(undoTool, {})).toMatchObject({ ok: true });
    expect(await room.call(undoTool, {})).toMatchObject({ ok: true });
    expect(treeOf(room.folder)).toEqual(before);
    expect((await room.call(undoTool, {})).text).toMatch(/^Error not_found: this session has no change left to undo/);
  });

  test('leaves lines that others changed since as they are', async () => {
    const { receipt } = await room.call(editTool, { file_path: 'a.txt', old_string: 'two', new_string: '2\n2b' });
    writeFileSync(at('a.txt'), 'zero\none\n2\n2b\nthree\nfour\nfive\nsix\nSEVEN\neight\n');
    expect(await room.call(undoTool, { id: receipt.id })).toMatchObject({ ok: true });
    expect(treeOf(room.folder)['a.txt']).toBe('640 zero\none\ntwo\nthree\nfour\nfive\nsix\nSEVEN\neight\n');
  });

  const MOVED: [string, readonly string[], string, string][] = [
    ['only moved', [], `${LINES}nine\n`, `${LINES}nine\n`],
    [
      'moved and changed elsewhere',
      ['@@', '-two', '+2'],
      LINES.replace('two', '2').replace('six', 'VI'),
      LINES.replace('six', 'VI'),
    ],
    ['moved, and emptied since', ['@@', '-two', '+2'], '', LINES],
  ];

  test.each(MOVED)(
    'of a file that was %s takes it back to its name with what others wrote since',
    async (_what, hunk, since, undone) => {
      const input = [
        '*** Begin Patch',
        '*** Update File: a.txt',
        '*** Move to: sub/b.txt',
        ...hunk,
        '*** End Patch',
      ].join('\n');
      const { receipt } = await room.call(applyPatchTool, { input });
      writeFileSync(at('sub/b.txt'), since);
      const before = treeOf(room.folder);
      const { ok, receipt: undo } = await room.call(undoTool, { id: receipt.id });
      expect(ok).toBe(true);
      expect(treeOf(room.folder)).toMatchObject({ 'a.txt': `640 ${undone}` });
      expect(treeOf(room.folder)).not.toHaveProperty('sub/b.txt');
      expect(await room.call(undoTool, { id: undo.id })).toMatchObject({ ok: true });
      expect(treeOf(room.folder)).toEqual(before);
    },
  );

  test('of a file that was moved over one that was deleted, and changed since, brings both back', async () => {
    const before = treeOf(room.folder);
    const input = [
      '*** Begin Patch',
      '*** Delete File: gone.bin',
      '*** Update File: a.txt',
      '*** Move to: gone.bin',
      '*** End Patch',
    ].join('\n');
    const { receipt } = await room.call(applyPatchTool, { input });
    writeFileSync(at('gone.bin'), `${LINES}nine\n`);
    expect(await room.call(undoTool, { id: receipt.id })).toMatchObject({ ok: true });
    expect(treeOf(room.folder)).toEqual({ ...before, 'a.txt': `640 ${LINES}nine\n` });
  });

  const ADJACENT: [string, Parameters<typeof replaced>, string, string][] = [
    ['the line above', ['two', '2'], 'ONE\n2\nthree', 'ONE\ntwo\nthree'],
    ['the line below', ['two', '2'], 'one\n2\nTHREE', 'one\ntwo\nTHREE'],
    ['both', ['two', '2'], 'ONE\n2\nTHREE', 'ONE\ntwo\nTHREE'],
    ['a new line above', ['two', '2'], 'one\nnew\n2\nthree', 'one\nnew\ntwo\nthree'],
    ['a new line below', ['two', '2'], 'one\n2\nnew\nthree', 'one\ntwo\nnew\nthree'],
    ['the line above a gap', ['two\n', ''], 'ONE\nthree', 'ONE\ntwo\nthree'],
    ['the line below a gap', ['two\n', ''], 'one\nTHREE', 'one\ntwo\nTHREE'],
    ['the line below one that came', ['two\n', 'two\nnew\n'], 'one\ntwo\nnew\nTHREE', 'one\ntwo\nTHREE'],
  ];
  const replaced = (old_string: string, new_string: string) =>
    room.call(editTool, { file_path: 'a.txt', old_string, new_string });
  const REST = '\nfour\nfive\nsix\nseven\neight\n';

  test.each(ADJACENT)('does not mind that others changed %s', async (_what, change, since, undone) => {
    const { receipt } = await replaced(...change);
    writeFileSync(at('a.txt'), since + REST);
    expect(await room.call(undoTool, { id: receipt.id })).toMatchObject({ ok: true });
    expect(treeOf(room.folder)['a.txt']).toBe(`640 ${undone}${REST}`);
  });

  test.each<[string, Parameters<typeof replaced>, string]>([
    ['the line itself', ['two', '2'], 'one\nII\nthree'],
    ['a stretch of lines with the gap in it', ['two\n', ''], 'ONE\nTHREE'],
    ['the gap, by a line of theirs', ['two\n', ''], 'one\ntheirs\nthree'],
    ['one of the lines that came', ['two', '2\n2b'], 'one\n2\nTWO B\nthree'],
  ])('is refused where others changed %s', async (_what, change, since) => {
    const { receipt } = await replaced(...change);
    writeFileSync(at('a.txt'), since + REST);
    expect((await room.call(undoTool, { id: receipt.id })).text).toMatch(/^Error stale: a\.txt was changed since/);
    expect(treeOf(room.folder)['a.txt']).toBe(`640 ${since}${REST}`);
  });

  test('without an id goes on with what the session changed in an earlier process', async () => {
    const before = treeOf(room.folder);
    const first = await replaced('two', '2');
    const second = await replaced('four', '4');
    const later = async (args: object, id = 'test') => {
      const root = await openRoot({ root: room.folder, ...room.ports });
      const session = createSession(root, id);
      const result = await callTool([undoTool], { name: 'Undo', args }, { session });
      await root.close();
      return result;
    };
    expect((await later({}, 'another')).text).toMatch(/^Error not_found: this session has no change left to undo\. An/);
    expect((await later({})).text).toContain(`note: ${second.receipt.id} is undone`);
    const undo = await later({});
    expect(undo.text).toContain(`note: ${first.receipt.id} is undone`);
    expect(undo.receipt.undoes).toBe(first.receipt.id);
    expect(treeOf(room.folder)).toEqual(before);
    const redo = `{"id":"${undo.receipt.id}"}`;
    expect((await later({})).text).toContain(`no change left to undo. To take its last Undo back: ${redo}.`);
    expect((await later({ id: first.receipt.id })).text).toBe(
      `Error already_applied: [${first.receipt.id}] was undone already, by [${undo.receipt.id}]. Nothing to do. ` +
        `To have the change back, undo that Undo: ${redo}.`,
    );
    expect(await later({ id: undo.receipt.id })).toMatchObject({ ok: true });
    expect((await later({ id: 'e99999' })).text).toContain(`that stands is {"id":"${first.receipt.id}"}.`);
    expect((await later({})).text).toContain(`note: ${first.receipt.id} is undone`);
  });

  test('without an id takes back the last change, also where the journal no longer holds the first', async () => {
    const first = await replaced('two', '2');
    const second = await replaced('four', '4');
    const third = await replaced('six', '6');
    const { journal } = room.root.kept;
    const recent = journal.recent.bind(journal);
    // Only the end of a long journal is read.
    vi.spyOn(journal, 'recent').mockImplementation(async (bytes) =>
      (await recent(bytes)).filter((line) => !line.includes(`"receipt":"${first.receipt.id}"`)),
    );
    for (const change of [third, second, first]) {
      expect((await room.call(undoTool, {})).text).toContain(`note: ${change.receipt.id} is undone`);
    }
  });

  test('brings back the content of a file that another program emptied since', async () => {
    const before = treeOf(room.folder);
    const { receipt } = await CHANGES['several edits']();
    writeFileSync(at('crlf.txt'), '');
    expect(await room.call(undoTool, { id: receipt.id })).toMatchObject({ ok: true });
    expect(treeOf(room.folder)).toEqual(before);
  });
});

describe('undo is refused, and changes nothing', () => {
  test.each<[string, keyof typeof CHANGES, () => void, string, RegExp]>([
    [
      'its lines were changed since',
      'several edits',
      () => writeFileSync(at('a.txt'), LINES.replace('two', 'II')),
      'stale',
      /a\.txt was changed since e\d+ at L2/,
    ],
    [
      'all of the file was',
      'an edit',
      () => writeFileSync(at('crlf.txt'), 'other\n'),
      'stale',
      /crlf\.txt was changed since e\d+/,
    ],
    [
      'the file that it made was changed since',
      'a new file in new folders',
      () => writeFileSync(at('new/er/x.txt'), 'y\n'),
      'stale',
      /x\.txt was changed since/,
    ],
    [
      'the lines of a moved file were changed since',
      'a patch that adds, changes, moves and deletes',
      () => writeFileSync(at('bin/run'), '#!/bin/sh\nexit 1\n'),
      'stale',
      /bin\/run was changed since e\d+ at L2/,
    ],
    ['the file is gone', 'an edit', () => unlinkSync(at('crlf.txt')), 'not_found', /crlf\.txt is gone since/],
    [
      'a deleted file is there again',
      'a patch that adds, changes, moves and deletes',
      () => writeFileSync(at('gone.bin'), 'mine'),
      'exists',
      /gone\.bin is there again since/,
    ],
    [
      'a file stands where a moved one was',
      'a patch that adds, changes, moves and deletes',
      () => writeFileSync(at('run.sh'), 'mine'),
      'exists',
      /run\.sh is there again since/,
    ],
  ])('where %s', async (_what, name, meddle, code, message) => {
    const { receipt } = await CHANGES[name]();
    meddle();
    const before = treeOf(room.folder);
    const { ok, text } = await room.call(undoTool, { id: receipt.id });
    expect(ok).toBe(false);
    expect(text).toMatch(new RegExp(`^Error ${code}: `));
    expect(text).toMatch(message);
    expect(treeOf(room.folder)).toEqual(before);
  });

  test('where a file stands now in place of the folder of one that was deleted, told as results show paths', async () => {
    await room.write({ 'sub/x.txt': 'x\n' });
    const input = '*** Begin Patch\n*** Delete File: sub/x.txt\n*** End Patch';
    const { receipt } = await room.call(applyPatchTool, { input });
    rmSync(at('sub'), { recursive: true, force: true });
    writeFileSync(at('sub'), 'mine\n');
    const before = treeOf(room.folder);
    const { text } = await room.call(undoTool, { id: receipt.id });
    expect(text).toMatch(/^Error not_found: sub\/x\.txt: .* is a file, not a folder\. Name another place, or move/);
    expect(treeOf(room.folder)).toEqual(before);
  });

  test('where the last change was too large to keep, and takes back no earlier one unless it is named', async () => {
    await room.write({ 'big.txt': `mark\n${'0123456789abcde\n'.repeat(2_200_000)}` });
    const first = await room.call(editTool, { file_path: 'a.txt', old_string: 'two', new_string: '2' });
    const last = await room.call(editTool, { file_path: 'big.txt', old_string: 'mark\n', new_string: 'MARK\n' });
    expect(last.text).toContain('can not be undone by its id: its contents before and after are 67 MB');
    const [big, earlier] = [last.receipt.id, first.receipt.id];
    const text =
      `Error unavailable: what [${big}] replaced is not kept. Edit the file instead. ` +
      `The last change of this session that is kept is {"id":"${earlier}"}.`;
    expect(await room.call(undoTool, {})).toMatchObject({ ok: false, text });
    expect(await room.call(undoTool, { id: big })).toMatchObject({ ok: false, text });
    expect(treeOf(room.folder)['a.txt']).toContain('\n2\n');
    expect(await room.call(undoTool, { id: earlier })).toMatchObject({ ok: true });
  });

  test.each([['e999999'], ['../../etc/passwd'], ['']])('of an id that there is not: %s', async (id) => {
    expect((await room.call(undoTool, { id })).text).toMatch(/^Error not_found: no change/);
  });
});

test('a moved file keeps its mode', async () => {
  await CHANGES['a patch that adds, changes, moves and deletes']();
  expect(statSync(at('bin/run')).mode & 0o7777).toBe(0o755);
});

test('an id without end is not told back whole', async () => {
  const { text } = await room.call(undoTool, { id: 'x'.repeat(100_000) });
  expect(text).toMatch(
    /^Error not_found: no change with the id "x{100}… \[line cut: 100 of 100,000 characters\]" is kept here\./,
  );
});
