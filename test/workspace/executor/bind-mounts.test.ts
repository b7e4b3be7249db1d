import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSession } from '../../../src/broker/session.ts';
import { createExecutor } from '../../../src/hosts/create-executor.ts';
import { type OpenRoot, openRoot } from '../../../src/hosts/open-root.ts';
import { applyPatchTool } from '../../../src/tools/apply-patch.ts';
import { callTool } from '../../../src/tools/call-tool.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { undoTool } from '../../../src/tools/undo.ts';
import { busyboxRoot, hasBubblewrap, type OtherRoot, systemRoot } from '../../support/other-root.ts';
import { writeTree } from '../../support/tree.ts';
import { wholeTree } from '../../support/whole-tree.ts';

/** A folder and, at `bound` in it, one that is bound there from elsewhere on the same file system. */
describe.runIf(hasBubblewrap).each<[string, (folder: string) => OtherRoot]>([
  ['busybox alone', busyboxRoot],
  ['another system', systemRoot],
])('a folder that is bound into the root, in a root of %s', { timeout: 120_000 }, (_what, makeRoot) => {
  let [folder, elsewhere]: readonly string[] = [];
  let other: OtherRoot;
  let root: OpenRoot;
  let call: (tool: Tool, args: object) => Promise<{ readonly ok: boolean; readonly text: string }>;
  const trees = () => [wholeTree(folder ?? ''), wholeTree(elsewhere ?? '')];

  beforeEach(async () => {
    [folder = '', elsewhere = ''] = ['emend bind-', 'emend bound-'].map((name) =>
      realpathSync(mkdtempSync(join(tmpdir(), name))),
    );
    mkdirSync(join(folder, 'bound'));
    writeTree(folder, { a: 'one\ntwo\n', b: 'here\n' });
    writeTree(elsewhere, { c: 'there\n' });
    linkSync(join(folder, 'a'), join(folder, 'second'));
    other = makeRoot(folder);
    const prefix = [...other.prefix, '--bind', elsewhere, join(folder, 'bound')] as const;
    root = await openRoot({ root: folder, ...(await createExecutor(prefix)) });
    const session = createSession(root, 'test');
    call = (tool, args) => callTool([tool], { name: tool.name, args }, { session });
  });
  afterEach(async () => {
    await root.close();
    other.remove();
    for (const each of [folder, elsewhere]) rmSync(each ?? '', { recursive: true });
  });

  const input = (...lines: readonly string[]) => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

  test('files move over the boundary both ways, in a ring too, and Undo takes them back', async () => {
    const before = trees();
    const lines = ['bound/c', 'n', 'b', 'bound/c', 'n', 'b'];
    const ring = [0, 2, 4].flatMap((at) => [`*** Update File: ${lines[at]}`, `*** Move to: ${lines[at + 1]}`]);
    const change = await call(applyPatchTool, input(...ring));
    expect(change).toMatchObject({ ok: true });
    expect(change.text).not.toContain('hard link');
    expect(trees()).toMatchObject([{ b: { content: 'there\n' } }, { c: { content: 'here\n' } }]);
    expect((await call(undoTool, {})).text).toContain('is undone');
    expect(trees()).toEqual(before);
  });

  test('one of several names of a file becomes a file of its own there, and the answer says so', async () => {
    const change = await call(applyPatchTool, input('*** Update File: a', '*** Move to: bound/a'));
    expect(change.text).toMatch(/^note: bound\/a: it is a file of its own now: a hard link can not lead to another/m);
    const moved = { content: 'one\ntwo\n' };
    expect(trees()).toMatchObject([{ second: { ...moved, names: 'second' } }, { a: { ...moved, names: 'a' } }]);
    expect(Object.keys(wholeTree(folder ?? ''))).not.toContain('a');
    expect((await call(undoTool, {})).text).toContain('is undone');
    expect(trees()).toMatchObject([{ a: { ...moved, names: 'a' }, second: moved }, { c: { content: 'there\n' } }]);
  });

  test('the folder itself is no file to be taken away', async () => {
    const before = trees();
    expect(await call(applyPatchTool, input('*** Delete File: bound'))).toMatchObject({ ok: false });
    expect(trees()).toEqual(before);
  });
});
