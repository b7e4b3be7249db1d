import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { editTool } from '../../src/tools/edit.ts';
import { multiEditTool } from '../../src/tools/multi-edit.ts';
import { readTool } from '../../src/tools/read.ts';
import { writeTool } from '../../src/tools/write.ts';
import { openToolRoom } from '../support/tool-room.ts';

const TEXT = 'alpha\nbeta\n';

test.each([
  ['Edit', editTool, { file_path: 'a.txt', old_string: 'alpha', new_string: 'al\0pha' }],
  ['MultiEdit', multiEditTool, { file_path: 'a.txt', edits: [{ old_string: 'beta', new_string: '\0' }] }],
  ['Write over a file', writeTool, { file_path: 'a.txt', content: 'a\0b\n' }],
  ['Write of a new file', writeTool, { file_path: 'new/b.txt', content: 'a\0b\n' }],
])('%s does not make a text a binary file', async (_what, tool, args) => {
  const { call, folder, close } = await openToolRoom({ 'a.txt': TEXT });
  onTestFinished(close);
  const { text, receipt } = await call(tool, args);
  expect(receipt.code).toBe('binary');
  expect(text).toMatch(/^Error binary: \S+: the new text has a NUL character, .* Write the character as an escape/);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(TEXT);
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

test('a path with one is refused, with the name that it may have been meant to be', async () => {
  const room = await openToolRoom({ 'a.txt': TEXT });
  onTestFinished(() => room.close());
  const { text } = await room.call(readTool, { file_path: 'a.\0txt' });
  expect(text).toBe(
    'Error invalid_arguments: the path "a.\\u0000txt" has a control character (\\0). Did you mean a.txt?',
  );
});
