import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { applyPatchTool } from '../../src/tools/apply-patch.ts';
import { bashTool } from '../../src/tools/bash.ts';
import { editTool } from '../../src/tools/edit.ts';
import { grepTool } from '../../src/tools/grep.ts';
import { multiEditTool } from '../../src/tools/multi-edit.ts';
import { readTool } from '../../src/tools/read.ts';
import { selectTools } from '../../src/tools/select-tools.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { writeTool } from '../../src/tools/write.ts';
import { farOr } from '../support/far.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';

const AUTH = Array.from({ length: 60 }, (_, n) =>
  n === 40 ? '    if (t.exp < now) return false;\n' : `const line${n + 1} = ${n + 1};\n`,
).join('');

async function room(): Promise<ToolRoom> {
  const opened = await openToolRoom({ 'src/auth.ts': AUTH, 'b.ts': 'b\n' });
  onTestFinished(() => opened.close());
  // Of another time than the commands, so that these have not changed them; an executor takes its time to open.
  for (const name of farOr([], ['src/auth.ts', 'b.ts']))
    utimesSync(join(opened.folder, name), 1_700_000_000, 1_700_000_000);
  return opened;
}

function named(dialect: string, name: string): Tool {
  const selected = selectTools({ dialect, tools: [name] });
  const [tool] = selected.status === 'selected' ? selected.tools : [];
  if (!tool) throw new Error(`no ${name}`);
  return tool;
}

const wrong = { file_path: 'src/auth.ts', old_string: '    if (t.exp > later) return maybe;', new_string: 'x' };

describe('a failing call that is repeated', () => {
  test('an Edit is not run a third time: its answer has the present lines, also with other calls in between', async () => {
    const { call, folder } = await room();
    for (let times = 0; times < 2; times++) {
      expect((await call(editTool, wrong)).receipt.code).toBe('no_match');
      expect((await call(readTool, { file_path: 'b.ts' })).ok).toBe(true);
      await call(bashTool, { command: 'true' });
    }
    for (let times = 0; times < 20; times++) {
      const result = await call(editTool, { filePath: wrong.file_path, oldString: wrong.old_string, newString: 'x' });
      expect(result.receipt.code).toBe('loop_blocked');
      expect(result.text).toMatch(
        /^Error loop_blocked: this edit failed twice and src\/auth\.ts has not changed since\. Its lines \d+-\d+ now:\n\d+→/,
      );
      expect(result.text).toContain('41→    if (t.exp < now) return false;');
    }
    writeFileSync(join(folder, 'src/auth.ts'), `// new\n${AUTH}`);
    expect((await call(editTool, wrong)).receipt.code).toBe('no_match');
  });

  test('a time stamp is no change, and an edit that lands is one', async () => {
    const { call, folder } = await room();
    await call(editTool, wrong);
    await call(editTool, wrong);
    utimesSync(join(folder, 'src/auth.ts'), 1, 1);
    expect((await call(editTool, wrong)).receipt.code).toBe('loop_blocked');
    expect((await call(editTool, { file_path: 'b.ts', old_string: 'b', new_string: 'c' })).ok).toBe(true);
    expect((await call(editTool, wrong)).receipt.code).toBe('no_match');
  });

  test('a Read of what is not there is not tried for ever, and is once it is there', async () => {
    const { call } = await room();
    await call(readTool, { file_path: 'src/nope.ts' });
    await call(readTool, { file_path: 'src/nope.ts' });
    const third = await call(readTool, { file_path: 'src/nope.ts' });
    expect(third.text).toMatch(/^Error loop_blocked: this Read failed twice and src\/nope\.ts has not changed since\./);
    await call(writeTool, { file_path: 'src/nope.ts', content: 'now\n' });
    expect((await call(readTool, { file_path: 'src/nope.ts' })).text).toBe('1→now');
  });

  test('edits that differ little get the present lines with their third failure', async () => {
    const { call } = await room();
    const answers = [];
    for (const old of [
      'if (t.exp > later) return maybe;',
      'if (t.exp >= later) return maybe;',
      'if (t.exp > latest) return maybe;',
    ]) {
      answers.push((await call(editTool, { ...wrong, old_string: old })).text);
    }
    expect(answers[1]).not.toContain('Its lines');
    expect(answers[2]).toMatch(
      /note: 3 edits like this one failed and src\/auth\.ts has not changed\. Its lines \d+-\d+ now:\n/,
    );
  });

  test('Reads that differ little and fail are called Reads', async () => {
    const { call } = await room();
    for (const offset of [-1, -2]) await call(readTool, { file_path: 'src/auth.ts', offset });
    const { text } = await call(readTool, { file_path: 'src/auth.ts', offset: -3 });
    expect(text).toContain('note: 3 Reads like this one failed and src/auth.ts has not changed.');
  });

  test('a command is run each time and noted once; one that changes something is not noted', async () => {
    const { call } = await room();
    const texts = [];
    for (let times = 0; times < 5; times++) texts.push((await call(bashTool, { command: 'echo no; exit 7' })).text);
    expect(texts.map((text) => text.includes('note: this command ended in the same way 3 times'))).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    for (const text of texts) expect(text).toMatch(/^exit 7 /);
    for (let times = 0; times < 4; times++) {
      expect((await call(bashTool, { command: 'echo x >> log; exit 1' })).text).not.toContain('note:');
    }
  });

  test('a command that fails is not noted where an edit lies between', async () => {
    const { call } = await room();
    for (let times = 0; times < 5; times++) {
      expect((await call(bashTool, { command: 'exit 7' })).text).toMatch(/^exit 7 \([\d.]+ s, no output\)$/);
      await call(writeTool, { file_path: 'new.ts', content: `${times}\n` });
    }
  });

  test('a command that works is never held back nor called a failure, however often it says the same', async () => {
    const { call } = await room();
    for (const command of ['ls b.ts', 'ls -a b.ts']) {
      for (let times = 0; times < 6; times++) {
        expect((await call(bashTool, { command })).text).toMatch(/^exit 0 \([\d.]+ s\)\nb\.ts$/);
      }
    }
  });

  test('a failing edit is held back each time from the third on, two hundred times too', async () => {
    const { call } = await room();
    const codes = new Map<string | undefined, number>();
    for (let times = 0; times < 200; times++) {
      const { receipt } = await call(editTool, {
        file_path: 'b.ts',
        old_string: 'nowhere to be found',
        new_string: 'x',
      });
      codes.set(receipt.code, (codes.get(receipt.code) ?? 0) + 1);
    }
    expect([...codes]).toEqual([
      ['no_match', 2],
      ['loop_blocked', 198],
    ]);
  }, 120_000);

  test('a search that finds nothing is run each time and noted once; no word says that anything was done', async () => {
    const { call } = await room();
    const texts = [];
    for (let times = 0; times < 12; times++) texts.push((await call(grepTool, { pattern: 'zzz' })).text);
    expect(texts.filter((text) => text.includes('note:'))).toHaveLength(1);
    for (const text of texts) expect(text).not.toMatch(/complete|success|done/i);
  });

  test('the same successful Read is never held back', async () => {
    const { call } = await room();
    for (let times = 0; times < 10; times++) expect((await call(readTool, { file_path: 'b.ts' })).text).toBe('1→b');
  });

  test('reading a job again and again is never noted', async () => {
    const { call } = await room();
    await call(bashTool, { command: 'sleep 20', run_in_background: true });
    for (let times = 0; times < 6; times++) expect((await call(bashTool, { job: 1 })).text).not.toContain('note:');
    await call(bashTool, { stop: 1 });
  });

  test.each([
    ['gemini', 'Edit', { file_path: 'b.ts', old_string: 'nowhere', new_string: 'x', allow_multiple: false }],
    ['opencode', 'Edit', { filePath: 'b.ts', oldString: 'nowhere', newString: 'x' }],
    ['opencode', 'MultiEdit', { edits: [{ filePath: 'b.ts', oldString: 'nowhere', newString: 'x' }] }],
    ['codex', 'apply_patch', { input: '*** Begin Patch\n*** Update File: b.ts\n@@\n-nowhere\n+x\n*** End Patch' }],
  ])('is held back under the names of %s too: %s', async (dialect, name, args) => {
    const { call, folder } = await room();
    const tool = named(dialect, name);
    const answers = [];
    for (let times = 0; times < 3; times++) answers.push(await call(tool, args));
    expect(answers.map(({ receipt }) => receipt.code)).toEqual(['no_match', 'no_match', 'loop_blocked']);
    expect(answers.map(({ receipt }) => receipt.tool)).toEqual([name, name, name]);
    expect(answers[2]?.text).toBe(
      'Error loop_blocked: this edit failed twice and b.ts has not changed since. Its lines 1-1 now:\n1→b',
    );
    writeFileSync(join(folder, 'b.ts'), 'c\n');
    expect((await call(tool, args)).receipt.code).toBe('no_match');
  });

  test('a command of another dialect is noted once too', async () => {
    const { call } = await room();
    const texts = [];
    const shell = named('codex', 'Bash');
    for (let times = 0; times < 4; times++) texts.push((await call(shell, { command: 'exit 7' })).text);
    expect(texts.map((text) => text.includes('note: this command ended in the same way 3 times'))).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test('a receipt has our name of a tool, also where the arguments were not understood', async () => {
    const { call } = await room();
    const { receipt, text } = await call(named('gemini', 'Edit'), { file_path: 'b.ts' });
    expect(receipt).toMatchObject({ tool: 'Edit', code: 'invalid_arguments' });
    expect(text).toMatch(/^Error invalid_arguments: replace: old_string is missing/);
  });

  test('of several files the lines are shown of the one that the edit failed in', async () => {
    const { call } = await room();
    const args = {
      edits: [
        { file_path: 'b.ts', old_string: 'b', new_string: 'c' },
        { file_path: 'src/auth.ts', old_string: wrong.old_string, new_string: 'x' },
      ],
    };
    const answers = [];
    for (let times = 0; times < 3; times++) answers.push((await call(multiEditTool, args)).text);
    expect(answers[2]).toMatch(
      /^Error loop_blocked: this edit failed twice and src\/auth\.ts has not changed since\. Its lines \d+-\d+ now:\n/,
    );
    expect(answers[2]).toContain('41→    if (t.exp < now) return false;');
  });

  test('where no one can say which of several files it failed in, no lines are shown as those of one', async () => {
    const { call, folder } = await room();
    const input = [
      '*** Begin Patch',
      '*** Update File: b.ts',
      '@@',
      '-b',
      '+c',
      '*** Update File: src/auth.ts',
      '@@',
      '-nowhere to be found',
      '+x',
      '*** End Patch',
    ].join('\n');
    const answers = [];
    for (let times = 0; times < 3; times++) answers.push((await call(applyPatchTool, { input })).text);
    expect(answers[2]).toMatch(
      /^Error loop_blocked: this edit failed twice and none of its files has changed since\. It was refused: no_match: /,
    );
    writeFileSync(join(folder, 'b.ts'), 'b\nb2\n');
    expect((await call(applyPatchTool, { input })).receipt.code).toBe('no_match');
  });

  test('a unified diff is tried again once its file is another', async () => {
    const { call, folder } = await room();
    const input = '--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-nowhere\n+x\n';
    const codes = [];
    for (let times = 0; times < 3; times++) codes.push((await call(applyPatchTool, { input })).receipt.code);
    expect(codes).toEqual(['no_match', 'no_match', 'loop_blocked']);
    writeFileSync(join(folder, 'b.ts'), 'nowhere\n');
    expect((await call(applyPatchTool, { input })).ok).toBe(true);
  });

  test('what is only tried changes nothing: a failing edit is held back all the same', async () => {
    const { call } = await room();
    const tried = { edits: [{ file_path: 'b.ts', old_string: 'b', new_string: 'c' }], dry_run: true };
    const codes = [];
    for (let times = 0; times < 3; times++) {
      codes.push((await call(editTool, wrong)).receipt.code);
      expect((await call(multiEditTool, tried)).ok).toBe(true);
    }
    expect(codes).toEqual(['no_match', 'no_match', 'loop_blocked']);
  });
});
