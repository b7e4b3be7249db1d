import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSession } from '../../../src/broker/session.ts';
import { recoveringLocks } from '../../../src/broker/transaction/recovering-locks.ts';
import { applyPatchTool } from '../../../src/tools/apply-patch.ts';
import { callTool } from '../../../src/tools/call-tool.ts';
import { editTool } from '../../../src/tools/edit.ts';
import { openKeptState } from '../../../src/workspace/local-kept-state.ts';
import { createPathLocks } from '../../../src/workspace/path-locks.ts';
import { faultyRoot, Stopped } from '../../support/faulty-root.ts';
import { filesAt, turnPatch } from '../../support/five-files.ts';
import { openToolRoom } from '../../support/tool-room.ts';
import { textsOf } from '../../support/tree.ts';

const PATCH = { name: 'apply_patch', args: { input: turnPatch(0) } };

/** A root that was open while another process died at one operation of its change of five files. */
async function afterDeath(at: number) {
  const room = await openToolRoom(filesAt(0));
  const state = mkdtempSync(join(tmpdir(), 'emend-half-'));
  const dying = faultyRoot({ ...room.root, locks: createPathLocks() }, state, { at, kind: 'stop after' });
  const result = await callTool([applyPatchTool], PATCH, { session: createSession(dying, 'dies') }).catch(
    (error: unknown) => {
      if (error instanceof Stopped) return 'stopped' as const;
      throw error;
    },
  );
  const kept = openKeptState(state);
  const locks = recoveringLocks({ ...room.root, locks: createPathLocks(), kept });
  const session = createSession({ ...room.root, kept, locks }, 'lives');
  const edit = (file_path: string, old_string: string, new_string: string) =>
    callTool([editTool], { name: 'Edit', args: { file_path, old_string, new_string } }, { session });
  return { room, edit, isOver: result !== 'stopped' };
}

test('a broker that runs ends the half-done change of a process that died before it works on its files', async () => {
  const ends = new Set<number>();
  let halves = 0;
  for (let at = 1; ; at += 1) {
    const { room, edit, isOver } = await afterDeath(at);
    const left = JSON.stringify(textsOf(room.folder));
    if (left !== JSON.stringify(filesAt(0)) && left !== JSON.stringify(filesAt(1))) halves += 1;
    const edited = await edit('a.txt', 'kept', 'kept, and more');
    expect(edited, `stopped after operation ${at}`).toMatchObject({ ok: true });
    const texts = textsOf(room.folder);
    const turn = texts['a.txt']?.includes('turn 1.') ? 1 : 0;
    ends.add(turn);
    const whole: Record<string, string> = { ...filesAt(turn), 'a.txt': `turn ${turn}.\nkept, and more\n` };
    expect(texts, `stopped after operation ${at}`).toEqual(whole);
    await room.close();
    if (isOver) break;
  }
  expect(halves).toBeGreaterThan(2);
  expect([...ends].sort()).toEqual([0, 1]);
});

test('a change of other files does not wait for it, and leaves it', async () => {
  const { room, edit } = await afterDeath(12);
  const before = textsOf(room.folder);
  await room.write({ 'other.txt': 'one\n' });
  expect(await edit('other.txt', 'one', 'two')).toMatchObject({ ok: true });
  expect(textsOf(room.folder)).toEqual({ ...before, 'other.txt': 'two\n' });
  await room.close();
});
