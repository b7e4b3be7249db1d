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
