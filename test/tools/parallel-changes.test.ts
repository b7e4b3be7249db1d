import { expect, onTestFinished, test } from 'vitest';
import { bashTool } from '../../src/tools/bash.ts';
import { editTool } from '../../src/tools/edit.ts';
import { isFar } from '../support/far.ts';
import { openToolRoom } from '../support/tool-room.ts';

test.skipIf(isFar)('what another call writes while a command runs is not called the command’s change', async () => {
  const files = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${n}.txt`, 'one\n']));
  const room = await openToolRoom(files);
  onTestFinished(() => room.close());
  for (const name of Object.keys(files)) {
    const [edited, ran] = await Promise.all([
      room.call(editTool, { file_path: name, old_string: 'one', new_string: 'two' }),
      room.call(bashTool, { command: 'date +%s >> made.txt' }),
    ]);
    expect(edited.ok).toBe(true);
    expect(ran.text).toMatch(/\nchanged: made\.txt$/);
  }
  const both = await Promise.all([
    room.call(editTool, { file_path: 'f1.txt', old_string: 'two', new_string: 'three' }),
    room.call(bashTool, { command: 'sleep 0.3; echo more >> f1.txt' }),
  ]);
  expect(both[1].text).toMatch(/\nchanged: f1\.txt$/);
});
