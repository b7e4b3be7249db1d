import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { rootStateFolder } from '../../src/workspace/local-state-folder.ts';
import { journalOf, printedBy } from '../support/printed-replay.ts';
import { makeProject } from '../support/project.ts';

const CLI = join(import.meta.dirname, '../../dist/hosts/cli.js');

test('emend replay runs a journal again in an empty folder, and tells what came out otherwise', async () => {
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
  const fresh = makeProject({});
  const { stdout, exitCode } = await emend('replay', journal, '--root', fresh.root);
  expect(stdout).toMatch(/^3 calls the same, 0 differ, 0 not replayable, 1 not run/);
  expect(stdout).toContain('all final contents the same');
  expect(exitCode).toBe(0);
  expect(fresh.read('a.txt')).toBe('alpha\nBETA\n');
  expect(fresh.read('n.txt')).toBe('new\n');

  const wrong = await emend('replay', join(fresh.root, 'no-journal'));
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toMatch(/no-journal: ENOENT/);

  const before = [project.hash(), readFileSync(journal, 'utf8')];
  const full = await emend('replay', journal, '--root', project.root);
  expect(full.exitCode).toBe(2);
  expect(full.stderr).toMatch(
    /is not empty: it has a\.txt and 1 more\. A replay would .* nothing was run\. Name an empty/,
  );
  expect([project.hash(), readFileSync(journal, 'utf8')]).toEqual(before);
  const none = await emend('replay', journal, '--root', project.path('none'));
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain('there is no such folder');
});

test('a replay adds nothing to the journal that it reads, where that is the journal of its own root', async () => {
  const project = makeProject({ 'a.txt': 'alpha\n' });
  const journal = await journalOf(project.root, [
    ['Edit', { file_path: 'a.txt', old_string: 'alpha', new_string: 'beta' }],
    ['Undo', {}],
  ]);
  const before = [readFileSync(journal, 'utf8'), readdirSync(rootStateFolder(project.root), { recursive: true })];
  rmSync(project.path('a.txt'));
  const { status, lines } = await printedBy(journal, project.root);
  expect(lines).toEqual([expect.stringMatching(/^2 calls the same, 0 differ, 0 not replayable, 0 not run/)]);
  expect(status).toBe(0);
  expect(project.read('a.txt')).toBe('alpha\n');
  expect([readFileSync(journal, 'utf8'), readdirSync(rootStateFolder(project.root), { recursive: true })]).toEqual(
    before,
  );
});
