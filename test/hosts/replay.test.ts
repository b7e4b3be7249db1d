import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { parseJournalLine } from '../../src/broker/journal-record.ts';
import { rootStateFolder } from '../../src/workspace/local-state-folder.ts';
import { PNG } from '../support/png.ts';
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
  expect(stdout).toContain('in the end 2 files as the journal last knew; in ');
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

describe('what something else changed is taken over', () => {
  test.each<[string, string]>([
    ['a deletion', 'rm exe.sh'],
    ['a deletion of a folder', 'rm -r lib'],
    ['other content', 'echo other > exe.sh; echo more >> a.txt'],
    ['new files', 'mkdir -p new/er; echo 1 > new/er/x.txt'],
    ['a folder in the place of a file', 'rm a.txt; mkdir a.txt; echo 1 > a.txt/b'],
    ['what is ignored and known', 'echo exe.sh > .gitignore; git init -q; rm exe.sh; echo other > exe.sh'],
  ])('%s by a command', async (_what, command) => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    // Two runs: what an earlier process knew is known.
    await journalOf(project.root, [
      ['Write', { file_path: 'exe.sh', content: 'echo\n' }],
      ['Write', { file_path: 'lib/l.txt', content: 'l\n' }],
      ['Read', { file_path: 'a.txt' }],
    ]);
    const journal = await journalOf(project.root, [['Bash', { command }]]);
    rmSync(project.path('.git'), { recursive: true, force: true });
    const fresh = makeProject({});
    const { status, lines } = await printedBy(journal, fresh.root);
    expect(lines).toEqual([expect.stringMatching(/^3 calls the same, .* 1 not run .* in the end \d files as the/)]);
    // What is gone may be elsewhere.
    expect(lines[0]?.includes('1 command may have changed more')).toBe(/\brm (?!exe\.sh; echo other)/.test(command));
    expect(status).toBe(0);
    expect(filesOf(fresh.root)).toEqual(filesOf(project.root));
  });

  test('a deletion by someone else, when a command or another call sees it', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' });
    const journal = await journalOf(project.root, [
      ['Write', { file_path: 'exe.sh', content: 'echo\n' }],
      ['Read', { file_path: 'a.txt' }],
      ['Read', { file_path: 'b.txt' }],
      () => rmSync(project.path('exe.sh')),
      () => rmSync(project.path('a.txt')),
      ['Read', { file_path: 'a.txt' }],
      ['Bash', { command: 'true' }],
    ]);
    const fresh = makeProject({});
    expect((await printedBy(journal, fresh.root)).status).toBe(0);
    expect(filesOf(fresh.root)).toEqual({ 'b.txt': 'beta\n' });
  });

  test('a command whose journal does not say what it changed is told of', async () => {
    const project = makeProject({});
    const journal = await journalOf(project.root, [['Bash', { command: 'echo 1 > x.txt' }]]);
    const record = parseJournalLine(readFileSync(journal, 'utf8').trim());
    writeFileSync(journal, `${JSON.stringify({ ...record, left: undefined })}\n`);
    const { lines } = await printedBy(journal, makeProject({}).root);
    expect(lines).toEqual([
      expect.stringContaining('0 files as the journal last knew, and 1 command may have changed more'),
    ]);
  });

  test('what is too large to keep is named', async () => {
    const project = makeProject({});
    const journal = await journalOf(project.root, [['Bash', { command: 'head -c 5000000 /dev/zero > big.bin' }]]);
    const { lines, status } = await printedBy(journal, makeProject({}).root);
    expect(lines[0]).toMatch(/^e\d+ Bash: not replayable: what was in big\.bin was too large to keep$/);
    expect(status).toBe(1);
  });

  test('a file that is not as the journal last knew it is named, a missing one too', async () => {
    const project = makeProject({});
    const journal = await journalOf(project.root, [
      ['Write', { file_path: 'a.txt', content: 'alpha\n' }],
      ['Bash', { command: 'echo other > a.txt; echo new > b.txt' }],
    ]);
    const { left } = parseJournalLine(readFileSync(journal, 'utf8').trim().split('\n')[1] ?? '') ?? {};
    for (const { sha256 } of left?.files ?? [])
      rmSync(join(blobsOf(journal), sha256?.slice(0, 2) ?? '', sha256?.slice(2) ?? ''));
    const { lines, status } = await printedBy(journal, makeProject({}).root);
    expect(lines.slice(0, -1)).toEqual([
      expect.stringMatching(
        /^e\d+ Bash: not replayable: what was in \w\.txt is not kept: it was too large, or fell out since$/,
      ),
      expect.stringMatching(/^[ab]\.txt: in the end it is not as the journal last knew it$/),
    ]);
    expect(lines.at(-1)).toContain('1 of ');
    expect(status).toBe(1);
  });
});

describe('a Read', () => {
  const FILES = {
    'a.txt': 'alpha\nbeta\n',
    'latin.txt': Buffer.from('caf\xe9 au lait, na\xefve\n', 'latin1'),
    'p.png': PNG,
    'b.bin': new Uint8Array([0, 1, 2, 3, 0]),
    'empty.txt': '',
  };
  test.each<[string, object]>([
    ['a file', { file_path: 'a.txt' }],
    ['a stretch of a file', { file_path: 'a.txt', offset: 2, limit: 1 }],
    ['past its end', { file_path: 'a.txt', offset: 20 }],
    ['another encoding', { file_path: 'latin.txt' }],
    ['an image', { file_path: 'p.png' }],
    ['a binary file', { file_path: 'b.bin' }],
    ['an empty file', { file_path: 'empty.txt' }],
    ['no file', { file_path: 'none.txt' }],
    ['a path outside', { file_path: '/etc/hostname' }],
  ])('of %s is the first call, and comes out the same', async (_what, args) => {
    const journal = await journalOf(makeProject(FILES).root, [['Read', args]]);
    const { lines, status } = await printedBy(journal, makeProject({}).root);
    expect(lines).toEqual([expect.stringMatching(/^1 calls the same, 0 differ, 0 not replayable, 0 not run/)]);
    expect(status).toBe(0);
  });

  test('of a file under edit and outside change sees each time what it saw, and so does a Write after it', async () => {
    const project = makeProject({ 'a.txt': 'alpha\nbeta\n' });
    const journal = await journalOf(project.root, [
      ['Read', { file_path: 'a.txt' }],
      () => writeFileSync(project.path('a.txt'), 'ALPHA\nbeta\n'),
      ['Write', { file_path: 'a.txt', content: 'mine\n' }],
      ['Read', { file_path: 'a.txt' }],
      ['Write', { file_path: 'a.txt', content: 'mine\n' }],
    ]);
    const records = readFileSync(journal, 'utf8').trim().split('\n').map(parseJournalLine);
    expect(records.map((record) => record?.code ?? 'ok')).toEqual(['ok', 'stale', 'ok', 'ok']);
    const fresh = makeProject({});
    expect((await printedBy(journal, fresh.root)).lines).toEqual([
      expect.stringMatching(/^4 calls the same, 0 differ/),
    ]);
    expect(fresh.read('a.txt')).toBe('mine\n');
  });

  test('of a folder is not run; of what the journal has not, named', async () => {
    const project = makeProject({ 'src/a.txt': 'a\n', 'big.txt': 'line\n'.repeat(1_000_000) });
    const journal = await journalOf(project.root, [
      ['Read', { file_path: 'src' }],
      ['Read', { file_path: 'big.txt' }],
      ['Read', { file_path: 'src/a.txt' }],
    ]);
    const [folder, big, small] = readFileSync(journal, 'utf8').trim().split('\n');
    const older = { ...parseJournalLine(small ?? ''), looked: [] };
    writeFileSync(journal, `${[folder, big, JSON.stringify(older)].join('\n')}\n`);
    const { lines, status } = await printedBy(journal, makeProject({}).root);
    expect(lines).toEqual([
      expect.stringMatching(/^e\d+ Read: not replayable: what was in big\.txt was too large to keep$/),
      expect.stringMatching(/^e\d+ Read: not replayable: the journal does not have what it read$/),
      expect.stringMatching(/^0 calls the same, 0 differ, 2 not replayable, 1 not run/),
    ]);
    expect(status).toBe(1);
  });
});

test('a journal that speaks of files outside of its root changes none there', async () => {
  const project = makeProject({ 'a.txt': 'alpha\n' });
  const journal = await journalOf(project.root, [['Read', { file_path: 'a.txt' }]]);
  const record = parseJournalLine(readFileSync(journal, 'utf8').trim());
  const outside = makeProject({});
  mkdirSync(outside.path('in'));
  outside.write('kept.txt', 'kept\n');
  const looked = ['../kept.txt', outside.path('kept.txt'), '.'].map((path) => [{ path, sha256: null }]);
  writeFileSync(journal, looked.map((each) => `${JSON.stringify({ ...record, looked: each })}\n`).join(''));
  const { lines, status } = await printedBy(journal, outside.path('in'));
  expect(lines.slice(0, 3).every((line) => line.endsWith('lies outside of the root'))).toBe(true);
  expect(status).toBe(1);
  expect(outside.read('kept.txt')).toBe('kept\n');
});

function blobsOf(journal: string): string {
  return join(journal, '../blobs');
}

function filesOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}
