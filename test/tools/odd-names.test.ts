import { writeFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { bashTool } from '../../src/tools/bash.ts';
import { editTool } from '../../src/tools/edit.ts';
import { readTool } from '../../src/tools/read.ts';
import { openToolRoom } from '../support/tool-room.ts';

test.each([
  ['Read', readTool, {}],
  ['Edit', editTool, { old_string: 'text', new_string: 'other' }],
])('%s of a file whose name is no UTF-8 is refused with what to do', async (_name, tool, args) => {
  const { call, folder, close } = await openToolRoom();
  onTestFinished(close);
  await writeFile(Buffer.concat([Buffer.from(`${folder}/n`), Buffer.from([0xff]), Buffer.from('.txt')]), 'text\n');
  const result = await call(tool, { file_path: 'n\\xff.txt', ...args });
  expect(result.text).toBe(
    "Error not_found: n\\xff.txt. Where \\x stands for a byte that is no UTF-8, rename it with Bash: mv $'n\\xff.txt' NEW_NAME",
  );
  expect((await call(bashTool, { command: "mv $'n\\xff.txt' n.txt" })).text).toMatch(/^exit 0/);
  expect((await call(readTool, { file_path: 'n.txt' })).text).toBe('1→text');
});

test.each([
  ['a line end', 'new\nline.txt', 'new\\nline.txt'],
  ['a quote beside it', "it's\u001b.txt", "it\\'s\\x1b.txt"],
  ['a backslash beside it', 'a\\b\t.txt', 'a\\\\b\\t.txt'],
])('a file whose name has %s can be renamed as its refusal says', async (_what, name, quoted) => {
  const { call, folder, close } = await openToolRoom();
  onTestFinished(close);
  await writeFile(`${folder}/${name}`, 'text\n');
  const { text } = await call(readTool, { file_path: name });
  const command = `mv $'${quoted}' `;
  expect(text).toContain(command);
  await call(bashTool, { command: `${command} plain.txt` });
  expect((await call(readTool, { file_path: 'plain.txt' })).text).toBe('1→text');
});
