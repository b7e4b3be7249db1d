import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RootOptions } from '../../src/hosts/open-root.ts';
import { bashTool } from '../../src/tools/bash.ts';
import { globTool } from '../../src/tools/glob.ts';
import { grepTool } from '../../src/tools/grep.ts';
import { readTool } from '../../src/tools/read.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { openToolRoom } from '../support/tool-room.ts';

/** Names that only look like one that is there have no more rights than it. */

async function room(files: Readonly<Record<string, string>>, options: Partial<RootOptions> = {}) {
  const opened = await openToolRoom(files, () => options);
  onTestFinished(() => opened.close());
  return opened;
}

test('a name that looks like a link out of the root does not lead out', async () => {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'emend-outside-')));
  onTestFinished(() => rm(outside, { recursive: true }));
  await writeFile(join(outside, 's.txt'), 'SECRET\n');
  const { call, folder } = await room({ 'a.txt': '' });
  await symlink(outside, join(folder, "it's"));
  await symlink(join(outside, 's.txt'), join(folder, "s'x.txt"));
  for (const [tool, args] of [
    [grepTool, { pattern: 'SECRET', path: 'it\u2019s', output_mode: 'content' }],
    [grepTool, { pattern: 'SECRET', path: 's\u2019x.txt', output_mode: 'content' }],
    [readTool, { file_path: 'it\u2019s' }],
    [readTool, { file_path: 's\u2019x.txt' }],
    [bashTool, { command: 'ls', cwd: 'it\u2019s' }],
  ] as const) {
    const { text, receipt } = await call(tool, args);
    expect(receipt.code).toBe('denied');
    expect(text).toContain('is outside the root');
  }
});

test.each([
  ['Glob', globTool, { pattern: '*.txt', path: 'my\u00a0sub' }, 'my sub', 'my sub/e.txt\n(1 of 1)'],
  ['Glob of a name', globTool, { pattern: 'e{1}.txt', path: 'my\u00a0sub' }, 'my sub', '(none)'],
  ['Read of an empty file', readTool, { file_path: 'my\u00a0e.txt' }, 'my e.txt', '(empty file)'],
  ['Read of an empty folder', readTool, { file_path: 'my\u00a0own' }, 'my own', '(empty folder)'],
])('what was taken for another name is said to be: %s', async (_what, tool, args, name, answer) => {
  const { call, folder } = await room({ 'my sub/e.txt': '', 'my e.txt': '' });
  await mkdir(join(folder, 'my own'));
  const note = `note: this is "${name}"; its name has other characters that look the same`;
  expect((await call(tool as Tool, args)).text).toBe(`${note}\n${answer}`);
});

test('nor to what is on the deny list, and no name of that is proposed', async () => {
  const { call } = await room({ 'my key.pem': 'PEM\n', 'my note.txt': 'n\n' }, { deny: ['my key.pem'] });
  expect((await call(readTool, { file_path: 'my\u00a0key.pem' })).receipt.code).toBe('denied');
  expect((await call(readTool, { file_path: 'my\u00a0note.txt' })).text).toMatch(/^note: this is "my note\.txt"/);
  expect((await call(readTool, { file_path: 'my keyy.pem' })).text).not.toContain('my key.pem');
});

test('a deny list holds for both forms of a letter', async () => {
  const { call } = await room({ 'cafe\u0301.txt': 'SECRET\n', 'b.txt': 'SECRET\n' }, { deny: ['caf\u00e9.txt'] });
  expect((await call(readTool, { file_path: 'cafe\u0301.txt' })).receipt.code).toBe('denied');
  expect((await call(grepTool, { pattern: 'SECRET' })).text).not.toContain('caf');
});

test('a pattern that found nothing does not learn of names outside the root', async () => {
  const { call } = await room({ 'a.txt': '' });
  const up = '../'.repeat(12);
  expect((await call(globTool, { pattern: `foo/a.b, ${up}etc/passwe` })).text).not.toContain('passwd');
});
