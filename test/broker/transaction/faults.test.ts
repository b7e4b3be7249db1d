import { chmodSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSession } from '../../../src/broker/session.ts';
import { recoverChanges } from '../../../src/broker/transaction/recover-changes.ts';
import { applyPatchTool } from '../../../src/tools/apply-patch.ts';
import { callTool } from '../../../src/tools/call-tool.ts';
import { openKeptState } from '../../../src/workspace/local-kept-state.ts';
import { type Fault, faultyRoot, Stopped } from '../../support/faulty-root.ts';
import { openToolRoom, type ToolRoom } from '../../support/tool-room.ts';
import { treeOf } from '../../support/tree.ts';

const FILES = {
  'a.txt': 'one\ntwo\n',
  'b.txt': 'red\r\ngreen\r\n',
  'd.bin': new Uint8Array([0, 1, 0]),
  'e.txt': 'move me\n',
};
/** Five files: two changed, one made in new folders, one deleted, one moved. */
const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
-two
+2
*** Update File: b.txt
@@
-green
+blue
*** Add File: new/er/c.txt
+c
*** Delete File: d.bin
*** Update File: e.txt
*** Move to: moved/e.txt
@@
-move me
+moved
*** End Patch`;

/** Three files take each other's names; one of them has a second name, another is changed too. */
const RING = ['a b', 'b c', 'c a']
  .map((pair) => pair.split(' '))
  .map(([from, to]) => {
    const head = `diff --git a/${from}.txt b/${to}.txt\nsimilarity index ${from === 'b' ? 80 : 100}%\n`;
    const hunk = from === 'b' ? `--- a/b.txt\n+++ b/c.txt\n@@ -1,2 +1,2 @@\n red\n-green\n+blue\n` : '';
    return `${head}rename from ${from}.txt\nrename to ${to}.txt\n${hunk}`;
  })
  .join('');

interface Change {
  readonly name: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly input: string;
  /** The files of which a person may save one meanwhile. */
  readonly saved: readonly string[];
  /** What is there when all is new, whatever a person saved; without it a save in the middle is not tried. */
  readonly made?: readonly string[];
  prepare?(folder: string): void;
}

const CHANGES: readonly Change[] = [
  {
    name: 'five files',
    files: FILES,
    input: PATCH,
    saved: ['a.txt', 'b.txt', 'e.txt'],
    made: ['moved/e.txt', 'new/er/c.txt'],
  },
  {
    name: "three files that take each other's names, and a link",
    files: { 'a.txt': 'one\ntwo\n', 'b.txt': 'red\ngreen\n', 'c.txt': 'see\n' },
    input: RING,
    saved: ['a.txt', 'b.txt', 'c.txt'],
    prepare(folder) {
      linkSync(join(folder, 'a.txt'), join(folder, 'second.txt'));
      chmodSync(join(folder, 'c.txt'), 0o755);
    },
  },
];

let room: ToolRoom;
let state: string;
beforeAll(async () => {
  room = await openToolRoom();
  state = mkdtempSync(join(tmpdir(), 'emend-faults-'));
});
afterAll(() => room.close());

/** The tree, with the number of names that each file has. */
function foundTree(): Readonly<Record<string, string>> {
  const named = Object.entries(treeOf(room.folder)).map(([name, found]) => {
    const { nlink } = lstatSync(join(room.folder, name));
    return [name, name.endsWith('/') ? found : `${nlink} ${found}`] as const;
  });
  return Object.fromEntries(named);
}

/** Runs a patch with a fault, and gives the tree before, after, and what the next process finds. */
async function run({ files, input, prepare }: Change, fault: Fault | undefined) {
  for (const name of readdirSync(room.folder)) rmSync(join(room.folder, name), { recursive: true });
  // What an earlier run left to be recovered is no part of this one.
  rmSync(state, { recursive: true });
  mkdirSync(state, { mode: 0o700 });
  await room.write(files);
  prepare?.(room.folder);
  const before = foundTree();
  const root = faultyRoot(room.root, state, fault);
  const call = { session: createSession(root, 'test') };
  const result = await callTool([applyPatchTool], { name: 'apply_patch', args: { input } }, call).catch(
    (error: unknown) => {
      if (error instanceof Stopped) return 'stopped' as const;
      throw error;
    },
  );
  const recover = () => recoverChanges({ ...room.root, kept: openKeptState(state) });
  return { before, result, recover, operations: root.operations(), tree: foundTree };
}

async function whole(change: Change) {
  const { tree, result, operations } = await run(change, undefined);
  expect(result, JSON.stringify(result)).toMatchObject({ ok: true });
  const after = tree();
  return { after, operations };
}

describe.each(CHANGES)('a change of $name meets a fault at each operation of its store in turn', (change) => {
  test.each(['stop before', 'stop after'] as const)(
    '%s: the next process finds all files old or all new',
    async (kind) => {
      const { after, operations } = await whole(change);
      expect(operations).toBeGreaterThan(20);
      const ends = { old: 0, new: 0 };
      for (let at = 1; at <= operations; at += 1) {
        const { before, recover, tree } = await run(change, { at, kind });
        await recover();
        const found = tree();
        const isNew = JSON.stringify(found) === JSON.stringify(after);
        ends[isNew ? 'new' : 'old'] += 1;
        if (!isNew) expect(found, `${kind} operation ${at}`).toEqual(before);
        await recover();
        expect(tree(), 'and stays so').toEqual(found);
      }
      console.log(
        `${change.name}: ${kind} each of ${operations} operations: ${ends.old} times all old, ${ends.new} times all new`,
      );
      expect(ends.new).toBeGreaterThan(0);
    },
  );

  test.each(['stop after'] as const)('%s: what a person saved before the next process is left alone', async (kind) => {
    const { made, saved } = change;
    if (!made) return;
    const { operations } = await whole(change);
    for (let at = 1; at <= operations; at += 2) {
      const { before, recover, tree } = await run(change, { at, kind });
      const name = saved[Math.floor(at / 2) % 3] ?? '';
      writeFileSync(join(room.folder, name), 'saved by a person\n');
      const human = tree()[name];
      await recover();
      const found = tree()[name];
      // What the saved file was to become is a matter of that file.
      const isOther = ([one]: readonly [string, string]): boolean =>
        one !== name && !(name === 'e.txt' && /^moved\//.test(one));
      const others = Object.fromEntries(Object.entries(tree()).filter(isOther));
      expect(found, `${kind} operation ${at}: ${name}`).toBe(human);
      const othersBefore = Object.fromEntries(Object.entries(before).filter(isOther));
      const isOld = JSON.stringify(others) === JSON.stringify(othersBefore);
      if (!isOld)
        expect(Object.keys(others), `${kind} operation ${at}`).toEqual(
          expect.arrayContaining(made.filter((one) => isOther([one, '']))),
        );
    }
  });

  test.each(['fail before', 'fail after'] as const)(
    '%s: it says so and all files are old, or all are new',
    async (kind) => {
      const { after, operations } = await whole(change);
      for (let at = 1; at <= operations; at += 1) {
        const { before, result, tree } = await run(change, { at, kind });
        if (result === 'stopped') throw new Error('nothing was to stop here');
        expect(tree(), `${kind} operation ${at}: ${result.text}`).toEqual(result.ok ? after : before);
        if (!result.ok) expect(result.receipt).toMatchObject({ code: 'io', files: [] });
      }
    },
  );
});
