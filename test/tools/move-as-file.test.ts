import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { editTool } from '../../src/tools/edit.ts';
import { multiEditTool } from '../../src/tools/multi-edit.ts';
import { readTool } from '../../src/tools/read.ts';
import { undoTool } from '../../src/tools/undo.ts';
import { writeTool } from '../../src/tools/write.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';
import { canSetAttributes, setAttribute, type WholeFile, wholeTree } from '../support/whole-tree.ts';

const LATIN = Buffer.from('caf\xe9 au lait\nna\xefve\n', 'latin1');
const WIDE = Buffer.from('\ufeffzw\u00f6lf\r\ndrei\r\n', 'utf16le');
const isRoot = process.geteuid?.() === 0;
/** Extended attributes are beyond the shell tools that a far store is made of. */
const keepsAttributes = canSetAttributes() && process.env.EMEND_TEST_THROUGH === undefined;

let room: ToolRoom;
beforeEach(async () => {
  room = await openToolRoom({ a: LATIN, b: WIDE, 'c.sh': '#!/bin/sh\necho c\n' });
  chmodSync(at('a'), 0o640);
  chmodSync(at('b'), 0o600);
  chmodSync(at('c.sh'), 0o755);
  if (isRoot) chownSync(at('a'), 1234, 2345);
  if (keepsAttributes) setAttribute(at('a'), 'user.origin', 'of a');
});
afterEach(() => room.close());

const at = (name: string): string => join(room.folder, name);
const patch = (...lines: readonly string[]) =>
  room.call(applyPatchTool, { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
const move = (from: string, to: string, ...hunk: readonly string[]): readonly string[] => [
  `*** Update File: ${from}`,
  `*** Move to: ${to}`,
  ...hunk,
];
const tree = (): Record<string, WholeFile | string> => ({ ...wholeTree(room.folder) });
/** A file under another name is all that it was, but for its name. */
const moved = (file: WholeFile | string | undefined, name: string) => ({ ...(file as WholeFile), names: name });
const made = (name: string, content: string) => ({
  mode: '644',
  owner: `${process.geteuid?.()}:${process.getegid?.()}`,
  content,
  attributes: '',
  names: name,
});

type Tree = ReturnType<typeof tree>;
/** What a patch makes of the tree, and how its answer begins. */
const PATCHES: readonly [string, () => readonly string[], (old: Tree) => Tree, readonly RegExp[]][] = [
  [
    'a move, and a new file under the old name',
    () => [...move('a', 'n'), '*** Add File: a', '+new'],
    ({ a, ...old }) => ({ ...old, n: moved(a, 'n'), a: made('a', 'new\n') }),
    [/^Moved a to n/m, /^Created a/m],
  ],
  [
    'a move onto a name that the patch has freed',
    () => ['*** Delete File: b', ...move('c.sh', 'b')],
    ({ b: _, 'c.sh': c, ...old }) => ({ ...old, b: moved(c, 'b') }),
    [/^Deleted b/m, /^Moved c\.sh to b/m],
  ],
  [
    'a chain of moves',
    () => [...move('b', 'n'), ...move('a', 'b')],
    ({ a, b, ...old }) => ({ ...old, n: moved(b, 'n'), b: moved(a, 'b') }),
    [/^Moved b to n/m, /^Moved a to b/m],
  ],
  [
    'a swap, with a change of one',
    () => [...move('a', 'n'), ...move('b', 'a'), ...move('n', 'b', '@@', '-na\u00efve', '+na\u00efve \u00e0 moi')],
    ({ a, b, ...old }) => ({
      ...old,
      a: moved(b, 'a'),
      b: moved({ ...(a as WholeFile), content: 'caf\xe9 au lait\nna\xefve \xe0 moi\n' }, 'b'),
    }),
    [/^Moved a to b \(\+1 -1\) L2/m, /^Moved b to a/m],
  ],
  [
    'a ring of three',
    () => [...move('a', 'n'), ...move('c.sh', 'a'), ...move('b', 'c.sh'), ...move('n', 'b')],
    ({ a, b, 'c.sh': c, ...old }) => ({ ...old, a: moved(c, 'a'), 'c.sh': moved(b, 'c.sh'), b: moved(a, 'b') }),
    [/^Moved a to b/m, /^Moved c\.sh to a/m, /^Moved b to c\.sh/m],
  ],
  [
    'a move there and back',
    () => [...move('a', 'n'), ...move('n', 'a'), '*** Add File: n', '+new'],
    (old) => ({ ...old, n: made('n', 'new\n') }),
    [/^Created n/m],
  ],
  [
    'a new file with other letters than the encoding of the one that goes has',
    () => ['*** Delete File: a', '*** Add File: a', '+5 \u20ac'],
    ({ a, ...old }) => ({ ...old, a: { ...(a as WholeFile), content: Buffer.from('5 \u20ac\n').toString('latin1') } }),
    [/^Edited a/m],
  ],
];

describe('a patch that uses a name again', () => {
  test.each(PATCHES)(
    '%s: each file stays the file that it is, and Undo brings all back',
    async (_, lines, model, heads) => {
      const before = tree();
      const change = await patch(...lines());
      expect(change.text).not.toMatch(/^Error/);
      for (const head of heads) expect(change.text).toMatch(head);
      expect(tree()).toEqual(model(before));
      const undone = await room.call(undoTool, { id: change.receipt.id });
      expect(undone.text).toMatch(/is undone/);
      expect(tree()).toEqual(before);
      expect(await room.call(undoTool, { id: undone.receipt.id })).toMatchObject({ ok: true });
      expect(tree()).toEqual(model(before));
    },
  );

  test('two renames of a git diff that swap', async () => {
    const { a, b, ...others } = tree();
    const rename = (from: string, to: string) =>
      `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
    const input = rename('a', 'n') + rename('b', 'a') + rename('n', 'b');
    expect(await room.call(applyPatchTool, { input })).toMatchObject({ ok: true });
    expect(tree()).toEqual({ ...others, a: moved(b, 'a'), b: moved(a, 'b') });
  });

  test("a git diff as git writes it: renames that take each other's names, and a name that a later part frees", async () => {
    const { a, b, 'c.sh': c, ...others } = tree();
    const rename = (from: string, to: string) =>
      `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
    const ring = await room.call(applyPatchTool, {
      input: rename('a', 'b') + rename('b', 'c.sh') + rename('c.sh', 'a'),
    });
    expect(ring.text).toMatch(/^Moved a to b/m);
    expect(tree()).toEqual({ ...others, a: moved(c, 'a'), b: moved(a, 'b'), 'c.sh': moved(b, 'c.sh') });
    expect((await room.call(undoTool, { id: ring.receipt.id })).ok).toBe(true);
    expect(tree()).toEqual({ ...others, a, b, 'c.sh': c });
    const fresh = 'diff --git a/b b/b\nnew file mode 100644\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+new\n';
    const freed = await room.call(applyPatchTool, { input: fresh + rename('b', 'n') });
    expect(freed.text).toMatch(/^Moved b to n/m);
    expect(tree()).toEqual({ ...others, a, 'c.sh': c, n: moved(b, 'n'), b: made('b', 'new\n') });
  });

  test('what was read of both stays known, and each can be edited where it is', async () => {
    await room.write({ one: 'first\nline\n', two: 'second\nline\n' });
    for (const file_path of ['one', 'two']) await room.call(readTool, { file_path });
    await patch(...move('one', 'n'), ...move('two', 'one'), ...move('n', 'two'));
    const edit = { file_path: 'two', old_string: 'first', new_string: '1st' };
    expect((await room.call(editTool, edit)).text).toMatch(/^Edited two \(\+1 -1\) L1 \[e\d+\](?!.*note:)/s);
    expect((await room.call(writeTool, { file_path: 'one', content: 'x\n' })).text).not.toMatch(/note:|Error/);
  });
});

describe('owner, mode and attributes', () => {
  test('set-user-id goes along with the owner, by a move, a delete and their Undo', async () => {
    writeFileSync(at('suid'), '#!/bin/sh\nid\n');
    if (isRoot) chownSync(at('suid'), 1234, 1234);
    chmodSync(at('suid'), 0o4755);
    const before = tree();
    const away = await patch(...move('suid', 'n', '@@', '-id', '+id -u'));
    expect(tree().n).toMatchObject({ mode: '4755', owner: (before.suid as WholeFile).owner });
    await room.call(undoTool, { id: away.receipt.id });
    expect(tree()).toEqual(before);
    const gone = await patch('*** Delete File: suid', '*** Delete File: a');
    expect(gone.text).toMatch(/^Deleted suid/);
    expect((await room.call(undoTool, { id: gone.receipt.id })).text).not.toMatch(/could not/);
    expect(tree()).toEqual(before);
  });
});

describe('hard links', () => {
  beforeEach(() => linkSync(at('a'), at('other')));

  test.each<[string, () => readonly string[], (old: Tree) => Tree]>([
    [
      'a delete takes one name',
      () => ['*** Delete File: a'],
      ({ a: _, other, ...old }) => ({ ...old, other: moved(other, 'other') }),
    ],
    [
      'a move takes one name, and the file keeps the other',
      () => move('a', 'n'),
      ({ a, other, ...old }) => ({ ...old, n: moved(a, 'n = other'), other: moved(other, 'n = other') }),
    ],
    [
      'a move with a change changes the file under both names',
      () => move('a', 'n', '@@', '-na\u00efve', '+na\u00efvet\u00e9'),
      ({ a, other, ...old }) => {
        const content = 'caf\xe9 au lait\nna\xefvet\xe9\n';
        return {
          ...old,
          n: { ...moved(a, 'n = other'), content },
          other: { ...moved(other, 'n = other'), content },
        };
      },
    ],
    [
      'a file that is deleted and added anew leaves the other name alone',
      () => ['*** Delete File: a', '*** Add File: a', '+new'],
      ({ a, other, ...old }) => ({
        ...old,
        a: { ...moved(a, 'a'), content: 'new\n', attributes: '' },
        other: moved(other, 'other'),
      }),
    ],
    ['both names go', () => ['*** Delete File: a', '*** Delete File: other'], ({ a: _, other: __, ...old }) => old],
    [
      'one name takes the place of the other',
      () => ['*** Delete File: other', ...move('a', 'other')],
      ({ a: _, other, ...old }) => ({ ...old, other: moved(other, 'other') }),
    ],
    [
      'one name goes, the other moves',
      () => ['*** Delete File: a', ...move('other', 'n')],
      ({ a, other: _, ...old }) => ({ ...old, n: moved(a, 'n') }),
    ],
  ])('%s, and Undo links them again', async (_, lines, model) => {
    const before = tree();
    const change = await patch(...lines());
    expect(change.text).not.toMatch(/^Error/);
    expect(tree()).toEqual(model(before));
    const undone = await room.call(undoTool, { id: change.receipt.id });
    expect(undone.text).toMatch(/is undone/);
    expect(tree()).toEqual(before);
    expect(await room.call(undoTool, { id: undone.receipt.id })).toMatchObject({ ok: true });
    expect(tree()).toEqual(model(before));
  });

  test.each<[string, () => void, RegExp]>([
    [
      'the other name is gone',
      () => unlinkSync(at('other')),
      /note: a was one of 2 names of a file \(hard links\); it is a file of its own now: none of its other names was found/,
    ],
    [
      'the other name has other content since',
      () => writeFileSync(at('other'), 'changed'),
      /it is a file of its own now: its other name .*other has other content since/,
    ],
  ])('Undo says it where %s', async (_, meddle, words) => {
    const { a } = tree();
    const change = await patch('*** Delete File: a');
    meddle();
    const undone = await room.call(undoTool, { id: change.receipt.id });
    expect(undone.text).toMatch(words);
    expect(tree().a).toEqual(moved(a, 'a'));
  });

  test.each<[string, () => Promise<{ text: string }>]>([
    [
      'several edits',
      () =>
        room.call(multiEditTool, {
          edits: [
            { file_path: 'a', old_string: 'lait', new_string: 'the' },
            { file_path: 'other', old_string: 'au', new_string: 'du' },
          ],
        }),
    ],
    [
      'a dry run of them',
      () =>
        room.call(multiEditTool, {
          edits: [
            { file_path: 'a', old_string: 'lait', new_string: 'the' },
            { file_path: 'other', old_string: 'au', new_string: 'du' },
          ],
          dry_run: true,
        }),
    ],
    ['a patch', () => patch('*** Update File: a', '@@', '-na\u00efve', '+naif', '*** Delete File: other')],
  ])('%s of both names of one file is refused by both names', async (_, change) => {
    const before = tree();
    expect((await change()).text).toMatch(
      /^Error conflict: (?:edit 2 of 2 \(other\)\. )?No file was changed\. a and other are two names of one file \(hard links\)/,
    );
    expect(tree()).toEqual(before);
  });
});

describe('a dry run says no to what the call says no to', () => {
  test.each<[string, { file_path: string; old_string: string; new_string: string }]>([
    ['a read-only file', { file_path: 'locked', old_string: 'locked', new_string: 'open' }],
    ['a path below a file', { file_path: 'c.sh/x', old_string: '', new_string: 'x\n' }],
    ['a path far below a file', { file_path: 'c.sh/x/y/z', old_string: '', new_string: 'x\n' }],
  ])('%s', async (_, edit) => {
    writeFileSync(at('locked'), 'locked\n');
    chmodSync(at('locked'), 0o444);
    const before = tree();
    const dry = await room.call(multiEditTool, { edits: [edit], dry_run: true });
    const real = await room.call(multiEditTool, { edits: [edit] });
    expect(real.text).toMatch(/^Error (?:read_only|not_found): /);
    expect(dry.text).toBe(real.text);
    expect(tree()).toEqual(before);
  });
});

describe('a link that leads nowhere is told by its own name', () => {
  beforeEach(() => symlinkSync('nowhere', at('link')));

  test.each<[string, () => Promise<{ text: string }>]>([
    ['Read', () => room.call(readTool, { file_path: 'link' })],
    ['Edit', () => room.call(editTool, { file_path: 'link', old_string: 'x', new_string: 'y' })],
    ['MultiEdit', () => room.call(multiEditTool, { edits: [{ file_path: 'link', old_string: 'x', new_string: 'y' }] })],
    ['Update', () => patch('*** Update File: link', '@@', '-x', '+y')],
    ['Delete', () => patch('*** Delete File: link')],
  ])('%s', async (_, call) => {
    expect((await call()).text).toMatch(/^Error not_found: link is a link to nowhere, which is not there/);
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
  });

  test('a file that is made through it has both names in the answer', async () => {
    expect((await room.call(writeTool, { file_path: 'link', content: 'x\n' })).text).toMatch(
      /^Created link \(link to nowhere\) \(1 line\)/,
    );
    expect(readFileSync(at('nowhere'), 'utf8')).toBe('x\n');
  });
});

const isFar = process.env.EMEND_TEST_THROUGH === undefined && statSync('/dev/shm', { throwIfNoEntry: false });

// Where all is on one file system there is no other to move to.
describe.runIf(isFar && isFar.dev !== statSync(tmpdir()).dev)('a move to another file system', () => {
  let far: string;
  let both: ToolRoom;
  beforeEach(async () => {
    far = mkdtempSync('/dev/shm/emend-far-');
    both = await openToolRoom({ a: LATIN }, () => ({ allow: [far] }));
  });
  afterEach(async () => {
    await both.close();
    rmSync(far, { recursive: true });
  });
  const patchBoth = (...lines: readonly string[]) =>
    both.call(applyPatchTool, { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

  test('takes all along, and back', async () => {
    if (isRoot) chownSync(join(both.folder, 'a'), 1234, 2345);
    chmodSync(join(both.folder, 'a'), 0o4750);
    const before = wholeTree(both.folder);
    const change = await patchBoth(...move('a', join(far, 'n')));
    expect(change.text).toMatch(/^Moved a to /);
    expect(change.text).not.toContain('hard link');
    expect(wholeTree(far)).toEqual({ n: moved(before.a, 'n') });
    expect(await both.call(undoTool, { id: change.receipt.id })).toMatchObject({ ok: true });
    expect([wholeTree(both.folder), wholeTree(far)]).toEqual([before, {}]);
  });

  test('says that a file loses its other names there', async () => {
    linkSync(join(both.folder, 'a'), join(both.folder, 'other'));
    const { other } = wholeTree(both.folder);
    const change = await patchBoth(...move('a', join(far, 'n')));
    expect(change.text).toMatch(
      /^note: .*n: it is a file of its own now: a hard link can not lead to another file system/m,
    );
    expect(wholeTree(both.folder)).toEqual({ other: moved(other, 'other') });
    expect(await both.call(undoTool, { id: change.receipt.id })).toMatchObject({ ok: true });
    expect(wholeTree(both.folder)).toEqual({ a: moved(other, 'a'), other: moved(other, 'other') });
  });
});
