import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bashTool } from '../../src/tools/bash.ts';
import { editTool } from '../../src/tools/edit.ts';
import { grepTool } from '../../src/tools/grep.ts';
import { readTool } from '../../src/tools/read.ts';
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
});
