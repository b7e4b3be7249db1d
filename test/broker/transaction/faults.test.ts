import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

let room: ToolRoom;
let state: string;
beforeAll(async () => {
  room = await openToolRoom();
  state = mkdtempSync(join(tmpdir(), 'emend-faults-'));
});
afterAll(() => room.close());

/** Runs the patch with a fault, and gives the tree before, after, and what the next process finds. */
async function run(fault: Fault | undefined) {
  for (const name of readdirSync(room.folder)) rmSync(join(room.folder, name), { recursive: true });
  await room.write(FILES);
  const before = treeOf(room.folder);
  const root = faultyRoot(room.root, state, fault);
  const call = { session: createSession(root, 'test') };
  const result = await callTool([applyPatchTool], { name: 'apply_patch', args: { input: PATCH } }, call).catch(
    (error: unknown) => {
      if (error instanceof Stopped) return 'stopped' as const;
      throw error;
    },
  );
  const recover = () => recoverChanges({ ...room.root, kept: openKeptState(state) });
  return { before, result, recover, operations: root.operations(), tree: () => treeOf(room.folder) };
}

async function whole() {
  const { tree, result, operations } = await run(undefined);
  expect(result).toMatchObject({ ok: true });
  const after = tree();
  return { after, operations };
}

describe('a change of five files meets a fault at each operation of its store in turn', () => {
  test.each(['stop before', 'stop after'] as const)(
    '%s: the next process finds all files old or all new',
    async (kind) => {
      const { after, operations } = await whole();
      expect(operations).toBeGreaterThan(20);
      const ends = { old: 0, new: 0 };
      for (let at = 1; at <= operations; at += 1) {
        const { before, recover, tree } = await run({ at, kind });
        await recover();
        const found = tree();
        const isNew = JSON.stringify(found) === JSON.stringify(after);
        ends[isNew ? 'new' : 'old'] += 1;
        if (!isNew) expect(found, `${kind} operation ${at}`).toEqual(before);
        await recover();
        expect(tree(), 'and stays so').toEqual(found);
      }
      console.log(`${kind} each of ${operations} operations: ${ends.old} times all old, ${ends.new} times all new`);
      expect(ends.new).toBeGreaterThan(0);
    },
  );

  test.each(['stop after'] as const)('%s: what a person saved before the next process is left alone', async (kind) => {
    const { operations } = await whole();
    for (let at = 1; at <= operations; at += 2) {
      const { before, recover, tree } = await run({ at, kind });
      const name = ['a.txt', 'b.txt', 'e.txt'][Math.floor(at / 2) % 3] ?? '';
      writeFileSync(join(room.folder, name), 'saved by a person\n');
      const human = tree()[name];
      await recover();
      const { [name]: found, ...others } = tree();
      expect(found, `${kind} operation ${at}: ${name}`).toBe(human);
      const { [name]: _own, ...othersBefore } = before;
      const isOld = JSON.stringify(others) === JSON.stringify(othersBefore);
      if (!isOld)
        expect(Object.keys(others), `${kind} operation ${at}`).toEqual(
          expect.arrayContaining(['moved/e.txt', 'new/er/c.txt']),
        );
    }
  });

  test.each(['fail before', 'fail after'] as const)(
    '%s: it says so and all files are old, or all are new',
    async (kind) => {
      const { after, operations } = await whole();
      for (let at = 1; at <= operations; at += 1) {
        const { before, result, tree } = await run({ at, kind });
        if (result === 'stopped') throw new Error('nothing was to stop here');
        expect(tree(), `${kind} operation ${at}: ${result.text}`).toEqual(result.ok ? after : before);
        if (!result.ok) expect(result.receipt).toMatchObject({ code: 'io', files: [] });
      }
    },
  );
});
