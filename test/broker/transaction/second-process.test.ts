import { spawnSync } from 'node:child_process';
import { linkSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundledProgram } from '../../support/bundled-program.ts';
import { filesAt } from '../../support/five-files.ts';
import { textsOf, writeTree } from '../../support/tree.ts';

/** Runs a process of its own on a folder of five files, and gives the signal that ended it. */
function twoProcesses() {
  const [folder, state] = ['half-done-', 'half-done-state-'].map((name) =>
    realpathSync(mkdtempSync(join(tmpdir(), name))),
  );
  if (!folder || !state) throw new TypeError('two folders');
  onTestFinished(() => {
    for (const each of [folder, state]) rmSync(each, { recursive: true, force: true });
  });
  writeTree(folder, filesAt(0));
  const program = bundledProgram('half-done-change.ts');
  const env = { ...process.env, XDG_STATE_HOME: state };
  const run = (mode: 'change' | 'open', write: string): NodeJS.Signals | null => {
    const ended = spawnSync(process.execPath, [program, mode, folder, '0', write], { env, encoding: 'utf8' });
    expect(ended.stderr).toBe('');
    return ended.signal;
  };
  return { folder, state, run, texts: () => textsOf(folder) };
}

/** The patch is six operations of the store; before the first and after the last there is nothing half done. */
test.each(['1+', '2', '3+', '5', '6'])(
  'a change that its process was killed in, at write %s, is taken back by the next process that opens the root',
  (write) => {
    const { run, texts } = twoProcesses();
    expect(run('change', write)).toBe('SIGKILL');
    expect(texts()).not.toEqual(filesAt(0));
    expect(run('open', '')).toBe(null);
    expect(texts()).toEqual(filesAt(0));
  },
);

test('after its last write it counts as done', () => {
  const { run, texts } = twoProcesses();
  expect(run('change', '7+')).toBe('SIGKILL');
  expect(run('open', '')).toBe(null);
  expect(texts()).toEqual(filesAt(1));
});

test('what a process left beside its last file is taken away, though its change counts as done', () => {
  const { folder, state, run, texts } = twoProcesses();
  expect(run('change', '7+')).toBe('SIGKILL');
  const begun = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((name) => /begun\/.*\.json$/.test(name));
  // As it is between a file's name being given and the name being taken that it was made under.
  const [, owner] = /^(.*)-e\d+\.json$/.exec(basename(begun ?? '')) ?? [];
  linkSync(join(folder, 'there/deep/m.txt'), join(folder, `there/deep/.emend-${owner}-0123456789ab.tmp`));
  expect(texts()).not.toEqual(filesAt(1));
  expect(run('open', '')).toBe(null);
  expect(texts()).toEqual(filesAt(1));
});

test('where the process that recovers is killed too, the one after it goes on', () => {
  const { run, texts } = twoProcesses();
  expect(run('change', '5')).toBe('SIGKILL');
  expect(run('open', '2')).toBe('SIGKILL');
  expect(run('open', '1+')).toBe('SIGKILL');
  expect(texts()).not.toEqual(filesAt(0));
  expect(run('open', '')).toBe(null);
  expect(texts()).toEqual(filesAt(0));
});
