import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { makeProject } from '../support/project.ts';

const CLI = join(import.meta.dirname, '../../dist/hosts/cli.js');

test('emend replay runs a journal again on a fresh tree, and tells what came out otherwise', async () => {
  const env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'emend-replay-state-')) };
  const emend = (...args: readonly string[]) => execa(process.execPath, [CLI, ...args], { env, reject: false });
  const project = makeProject({ 'a.txt': 'alpha\nbeta\n' });
  const call = (tool: string, args: object) =>
    emend('call', tool, JSON.stringify(args), '--root', project.root, '--in-process', '--session', 's');
  await call('Write', { file_path: 'n.txt', content: 'new\n' });
  await call('Edit', { file_path: project.path('a.txt'), old_string: 'beta', new_string: 'BETA' });
  await call('Edit', { file_path: 'a.txt', old_string: 'nothing like this', new_string: 'x' });
  await call('Glob', { pattern: '*' });

  const [state = ''] = readdirSync(join(env.XDG_STATE_HOME, 'emend')).filter((name) => /^[0-9a-f]{16}$/.test(name));
  const journal = join(env.XDG_STATE_HOME, 'emend', state, 'journal.jsonl');
  const fresh = makeProject({ 'a.txt': 'alpha\nbeta\n' });
  const { stdout, exitCode } = await emend('replay', journal, '--root', fresh.root);
  expect(stdout).toMatch(/^3 calls the same, 0 differ, 0 not replayable, 1 not run/);
  expect(stdout).toContain('all final contents the same');
  expect(exitCode).toBe(0);
  expect(fresh.read('a.txt')).toBe('alpha\nBETA\n');
  expect(fresh.read('n.txt')).toBe('new\n');

  const wrong = await emend('replay', join(fresh.root, 'no-journal'));
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toMatch(/no-journal: ENOENT/);
});
