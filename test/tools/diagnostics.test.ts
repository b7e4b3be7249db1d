import { expect, onTestFinished, test } from 'vitest';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { diagnosticsTool } from '../../src/tools/diagnostics.ts';
import { writeTool } from '../../src/tools/write.ts';
import { openToolRoom } from '../support/tool-room.ts';

test('of the files that were changed one that is gone is said to be, and the others are told', async () => {
  const { call, close } = await openToolRoom({ 'old.txt': 'old\n' });
  onTestFinished(close);
  await call(writeTool, { file_path: 'new.txt', content: 'new\n' });
  await call(applyPatchTool, { input: '*** Begin Patch\n*** Delete File: old.txt\n*** End Patch' });
  const { ok, text } = await call(diagnosticsTool, {});
  expect({ ok, text }).toEqual({ ok: true, text: 'new.txt: no language server for it here\nold.txt: gone' });
  const named = await call(diagnosticsTool, { file_path: 'old.txt' });
  expect(named.text).toMatch(/^Error not_found: old\.txt/);
});

test('of the files that were changed since a receipt only those are told that it or a later one changed', async () => {
  const { call, close } = await openToolRoom({});
  onTestFinished(close);
  const ids: string[] = [];
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'a.txt']) {
    const { receipt } = await call(writeTool, { file_path: name, content: `${ids.length}\n` });
    ids.push(receipt.id);
  }
  const told = async (since: string) => (await call(diagnosticsTool, { since })).text.match(/^\w+\.txt/gm);
  expect(await told(ids[0] ?? '')).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(await told(ids[2] ?? '')).toEqual(['a.txt', 'c.txt']);
  expect(await told(ids[3] ?? '')).toEqual(['a.txt']);
  expect(await told('session')).toEqual(['a.txt', 'b.txt', 'c.txt']);
  const later = await call(diagnosticsTool, { since: 'e99999' });
  expect(later.text).toBe('No file was changed in this session since e99999. Name a file_path.');
  const { code } = (await call(diagnosticsTool, { since: 'yesterday' })).receipt;
  expect(code).toBe('invalid_arguments');
});
