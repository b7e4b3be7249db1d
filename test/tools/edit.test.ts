import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { editTool } from '../../src/tools/edit.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';

async function room(files: Readonly<Record<string, string>>): Promise<ToolRoom> {
  const opened = await openToolRoom(files);
  onTestFinished(opened.close);
  return opened;
}

test('of a file that is not there an Edit with two empty texts says what to send', async () => {
  const { call } = await room({});
  const { text } = await call(editTool, { file_path: 'new.txt', old_string: '', new_string: '' });
  expect(text).toBe(
    'Error identical: old_string and new_string are both empty. Send what is to stand in new.txt as new_string.',
  );
});

test('of a file that goes while an Edit begins the answer says what to do', async () => {
  const { call, folder, root } = await room({ 'a.txt': 'a\n' });
  const { confinement } = root;
  const resolve = confinement.resolve.bind(confinement);
  const leaving: typeof confinement.resolve = async (...args) => {
    const place = await resolve(...args);
    await rm(join(folder, 'a.txt'), { force: true });
    return place;
  };
  Object.assign(root, { confinement: { ...confinement, resolve: leaving } });
  const { text } = await call(editTool, { file_path: 'a.txt', old_string: 'a', new_string: 'b' });
  expect(text).toBe(
    'Error not_found: a.txt was there a moment ago, and is gone. See what its folder has, or make it with an empty old_string.',
  );
});
