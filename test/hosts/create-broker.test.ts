import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Broker, type BrokerOptions, createBroker } from '../../src/index.ts';
import { makeProject, type Project } from '../support/project.ts';

async function open(project: Project, options: Partial<BrokerOptions> = {}): Promise<Broker> {
  const broker = await createBroker({ root: project.root, ...options });
  onTestFinished(() => broker.close());
  return broker;
}

const PYTHON_CLASS =
  'class Basket:\n    def total(self):\n        return 1\n\n    def other(self):\n        return 2\n';

describe('an edit lands where it was meant', () => {
  test.each([
    [
      'a Python method given at column 0 keeps the depth of its class',
      { 'a.py': PYTHON_CLASS },
      {
        file_path: 'a.py',
        old_string: 'def total(self):\n    return 1',
        new_string: 'def total(self):\n    value = 1\n    return value',
      },
      'class Basket:\n    def total(self):\n        value = 1\n        return value\n\n    def other(self):\n        return 2\n',
    ],
    [
      'LF strings on a CRLF file: every line stays CRLF',
      { 'a.txt': 'one\r\ntwo\r\nthree\r\n' },
      { file_path: 'a.txt', old_string: 'one\ntwo', new_string: 'one\n1.5\nTWO' },
      'one\r\n1.5\r\nTWO\r\nthree\r\n',
    ],
    [
      '$& in new_string is literal',
      { 'a.txt': 'price = 5\n' },
      { file_path: 'a.txt', old_string: '5', new_string: '$& $1 $$ $`' },
      'price = $& $1 $$ $`\n',
    ],
    [
      'a byte order mark and a missing final newline stay as they are',
      { 'a.txt': '\ufeffone\ntwo' },
      { file_path: 'a.txt', old_string: 'one\ntwo', new_string: 'one\nTWO' },
      '\ufeffone\nTWO',
    ],
    [
      'an empty old_string makes a file that is not there',
      {},
      { file_path: 'sub/new.txt', old_string: '', new_string: 'hello\n' },
      'hello\n',
    ],
  ])('%s', async (_what, files, args, after) => {
    const project = makeProject(files);
    const broker = await open(project);
    const result = await broker.call('Edit', args);
    expect(result).toMatchObject({ ok: true });
    expect(project.read(args.file_path)).toBe(after);
  });

  test('the receipt tells the hunks, the bytes and the hashes', async () => {
    const project = makeProject({ 'a.txt': 'é\ntwo\nthree\n' });
    const broker = await open(project);
    const { receipt } = await broker.call('Edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO\n2' });
    expect(receipt).toMatchObject({
      tool: 'Edit',
      ok: true,
      files: [
        {
          path: 'a.txt',
          op: 'edit',
          added: 2,
          removed: 1,
          encoding: 'utf-8',
          eol: 'lf',
          matched_via: 'exact',
          hunks: [{ old: [2, 1], new: [2, 2], bytes: [3, 7] }],
        },
      ],
      diagnostics: { state: 'none' },
    });
    expect(receipt.files[0]?.diff).toContain('-two\n+TWO\n+2\n');
    expect(receipt.files[0]?.sha256.before).toMatch(/^[0-9a-f]{64}$/);
    expect(receipt.undo).toBe(receipt.id);
  });

  test('receipt ids are never used twice in a root', async () => {
    const project = makeProject({ 'a.txt': 'a\n' });
    const first = await open(project);
    const one = await first.call('Read', { file_path: 'a.txt' });
    await first.close();
    const second = await open(project);
    const two = await second.call('Read', { file_path: 'a.txt' });
    expect(two.receipt.id).not.toBe(one.receipt.id);
  });

  test('fifty edits of one file at once: none is lost', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index} old\n`);
    const project = makeProject({ 'a.txt': lines.join('') });
    const broker = await open(project);
    const results = await Promise.all(
      lines.map((_, index) =>
        broker.call('Edit', {
          file_path: index % 2 ? 'a.txt' : './a.txt',
          old_string: `line ${index} old`,
          new_string: `line ${index} new`,
        }),
      ),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(project.read('a.txt')).toBe(lines.join('').replaceAll('old', 'new'));
  });
});

describe('Write', () => {
  test('makes a file and its folders, and says so', async () => {
    const project = makeProject({});
    const broker = await open(project, { snippet: 'never' });
    const result = await broker.call('Write', { file_path: 'deep/er/a.txt', content: 'one\ntwo\n' });
    expect(result.text).toMatch(/^Created deep\/er\/a\.txt \(2 lines\) \[e\d+\]$/);
    expect(project.read('deep/er/a.txt')).toBe('one\ntwo\n');
  });

  test('replaces a file and tells only what differs', async () => {
    const project = makeProject({ 'a.txt': 'one\ntwo\nthree\n' });
    const broker = await open(project);
    const result = await broker.call('Write', { file_path: 'a.txt', content: 'one\nTWO\nthree\nfour\n' });
    expect(result.text).toMatch(/^Overwrote a\.txt \(\+2 -1\) \[e\d+\]/);
    expect(project.read('a.txt')).toBe('one\nTWO\nthree\nfour\n');
  });
});

describe('bad input gets the error of the contract and changes nothing', () => {
  test.each<[string, string, unknown, string]>([
    ['a missing file', 'Edit', { file_path: 'gone.txt', old_string: 'a', new_string: 'b' }, 'not_found'],
    ['a missing file to read', 'Read', { file_path: 'gone.txt' }, 'not_found'],
    ['a folder', 'Edit', { file_path: 'sub', old_string: 'a', new_string: 'b' }, 'is_directory'],
    ['a folder to write', 'Write', { file_path: 'sub', content: 'a' }, 'is_directory'],
    ['a binary file', 'Edit', { file_path: 'a.bin', old_string: 'a', new_string: 'b' }, 'binary'],
    ['a path outside', 'Edit', { file_path: '../other.txt', old_string: 'a', new_string: 'b' }, 'denied'],
    ['an absolute path outside', 'Write', { file_path: '/etc/emend-test', content: 'a' }, 'denied'],
    ['an empty old_string', 'Edit', { file_path: 'a.txt', old_string: '', new_string: 'b' }, 'empty_old'],
    ['the same text twice', 'Edit', { file_path: 'a.txt', old_string: 'alpha', new_string: 'alpha' }, 'identical'],
    [
      'text that is not there',
      'Edit',
      { file_path: 'a.txt', old_string: 'nothing like this', new_string: 'b' },
      'no_match',
    ],
    [
      'text that is there twice',
      'Edit',
      { file_path: 'twice.txt', old_string: 'same line', new_string: 'b' },
      'ambiguous',
    ],
    ['an unknown tool', 'Erase', { file_path: 'a.txt' }, 'invalid_arguments'],
    [
      'an unknown parameter',
      'Edit',
      { file_path: 'a.txt', old_string: 'a', new_string: 'b', force: true },
      'invalid_arguments',
    ],
    ['a parameter of the wrong type', 'Write', { file_path: 'a.txt', content: 7 }, 'invalid_arguments'],
    ['no arguments', 'Edit', undefined, 'invalid_arguments'],
    ['a name with a null byte', 'Write', { file_path: 'a\0.txt', content: 'a' }, 'invalid_arguments'],
  ])('%s', async (_what, tool, args, code) => {
    const project = makeProject({
      'a.txt': 'alpha\nbeta\n',
      'twice.txt': 'same line\nsame line\n',
      'a.bin': new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0, 0, 0, 97]),
    });
    mkdirSync(project.path('sub'));
    writeFileSync(project.path('sub/x.txt'), 'x\n');
    const broker = await open(project);
    const before = project.hash();
    const result = await broker.call(tool, args);
    expect(result.text).toMatch(new RegExp(`^Error ${code}: `));
    expect(result).toMatchObject({ ok: false, receipt: { ok: false, code, files: [] } });
    expect(project.hash()).toBe(before);
  });

  test('a root that is no folder', async () => {
    await expect(createBroker({ root: '/nowhere/at/all' })).rejects.toThrow('/nowhere/at/all is not a folder');
  });

  test.each([
    [undefined, 'takes its options in an object'],
    [{}, 'root is missing'],
    [{ root: 5 }, "root can't be 5"],
    [{ root: '' }, `root can't be ""`],
    [{ root: [] }, "root can't be []"],
    [{ root: '.', denny: ['*.x'] }, 'no option denny. Did you mean deny?'],
    [{ root: '.', deny: '*.x' }, `deny can't be "*.x"`],
    [{ root: '.', deny: ['x(1).txt'] }, `deny can't be ["x(1).txt"]: Groups like +(a|b) are not taken`],
    [{ root: '.', deny: ['src//'] }, 'It has an empty part'],
    [{ root: '.', tools: 'Read' }, `tools can't be "Read"`],
    [{ root: '.', snippet: 'x' }, `snippet can't be "x": Invalid option: expected one of "always"|"tolerant"|"never"`],
    [{ root: '.', config: 'yes' }, `config can't be "yes"`],
    [{ root: '.', experimentalLsp: true }, "experimentalLsp can't be true"],
    [{ root: '.', diagnosticsBudgetMs: '3s' }, `diagnosticsBudgetMs can't be "3s"`],
    [{ root: '.', servers: { x: 1 }, waitCold: 3 }, 'no option waitCold'],
  ])('options %j are none: %s', async (options, message) => {
    // As a program without types may give them.
    await expect(createBroker(options as unknown as Parameters<typeof createBroker>[0])).rejects.toThrow(message);
  });

  test('a call that was cancelled before it began changes nothing', async () => {
    const project = makeProject({ 'a.txt': 'alpha\n' });
    const broker = await open(project);
    const result = await broker.call(
      'Edit',
      { file_path: 'a.txt', old_string: 'alpha', new_string: 'beta' },
      { signal: AbortSignal.abort() },
    );
    expect(result.receipt.code).toBe('cancelled');
    expect(project.read('a.txt')).toBe('alpha\n');
  });
});
