import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Broker, createBroker } from '../../src/hosts/create-broker.ts';
import { createDenyList } from '../../src/workspace/deny-list.ts';

let root: string;
let broker: Broker;
const SECRET = 'token = abc\n';
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deny-')));
  await mkdir(join(root, 'private/deep'), { recursive: true });
  await mkdir(join(root, 'src'));
  await mkdir(join(root, '.git'));
  await writeFile(join(root, '.gitignore'), 'ignored.txt\n');
  for (const name of ['secret.txt', 'private/deep/a.txt', 'src/key.pem']) await writeFile(join(root, name), SECRET);
  for (const name of ['ignored.txt', 'src/plain.txt']) await writeFile(join(root, name), 'token = xyz\n');
  await symlink('secret.txt', join(root, 'innocent.txt'));
  broker = await createBroker({ root, deny: ['secret.txt', 'private', '*.pem'] });
});
afterAll(() => broker.close());

const DENIED = [
  'secret.txt',
  './src/../secret.txt',
  'innocent.txt',
  'private/deep/a.txt',
  'private/new.txt',
  'src/key.pem',
];

describe.each(DENIED)('%s is denied', (file_path) => {
  test.each<[string, object]>([
    ['Read', { file_path }],
    ['Edit', { file_path, old_string: 'abc', new_string: 'xyz' }],
    ['Write', { file_path, content: 'x' }],
    ['MultiEdit', { edits: [{ file_path, old_string: 'abc', new_string: 'xyz' }] }],
    ['apply_patch', { input: `*** Begin Patch\n*** Delete File: ${file_path}\n*** End Patch\n` }],
    ['Grep', { pattern: 'token', path: file_path }],
    ['Diagnostics', { file_path }],
  ])('to %s', async (tool, args) => {
    const all = await createBroker({ root, deny: ['secret.txt', 'private', '*.pem'], tools: [tool] });
    const result = await all.call(tool, args);
    expect(result).toMatchObject({ ok: false, receipt: { code: 'denied' } });
    expect(result.text).toContain('on the deny list');
    await all.close();
  });
});

test('names of other case are denied to searches and listings too, as to Read', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'deny-case-')));
  await mkdir(join(folder, 'Private'));
  for (const name of ['KEY.PEM', 'Private/a.txt', '.ENV']) await writeFile(join(folder, name), SECRET);
  await writeFile(join(folder, 'plain.txt'), 'token = xyz\n');
  const careful = await createBroker({ root: folder, deny: ['*.pem', 'private', '.env'] });
  onTestFinished(() => careful.close());
  for (const [tool, args] of [
    ['Grep', { pattern: 'token' }],
    ['Grep', { pattern: 'token', output_mode: 'content', no_ignore: true }],
    ['Grep', { pattern: 'token', output_mode: 'count', glob: '*.{PEM,txt}' }],
    ['Glob', { pattern: '**' }],
    ['Glob', { pattern: '{*.PEM,plain.txt}' }],
    ['Read', { file_path: '.' }],
  ] as const) {
    const { ok, text } = await careful.call(tool, args);
    expect([tool, ok]).toEqual([tool, true]);
    expect(text).toContain('plain.txt');
    expect(text).not.toMatch(/pem|private|env|abc/i);
  }
});

test('searches show nothing of it, and all the rest', async () => {
  const grep = await broker.call('Grep', { pattern: 'token' });
  expect(grep.text).toContain('src/plain.txt');
  expect(grep.text).not.toMatch(/secret|private|key\.pem/);
  const inFolder = await broker.call('Grep', { pattern: 'token', path: 'src' });
  expect(inFolder.text).toContain('plain.txt');
  expect(inFolder.text).not.toContain('key.pem');
  const glob = await broker.call('Glob', { pattern: '**/*' });
  expect(glob.text).toContain('src/plain.txt');
  expect(glob.text).not.toMatch(/secret\.txt|private|key\.pem/);
});

test('what is only ignored is read', async () => {
  expect(await broker.call('Read', { file_path: 'ignored.txt' })).toMatchObject({ ok: true });
});

test('Bash is off, unless it is asked for', async () => {
  const result = await broker.call('Bash', { command: 'cat secret.txt' });
  expect(result).toMatchObject({ ok: false, receipt: { code: 'denied' } });
  expect(result.text).toContain('Bash is off while a deny list is set');
  const asked = await createBroker({ root, deny: ['secret.txt'], tools: ['Bash'] });
  expect(await asked.call('Bash', { command: 'echo hi' })).toMatchObject({ ok: true });
  await asked.close();
});

test('no byte of it has changed', async () => {
  for (const name of ['secret.txt', 'private/deep/a.txt', 'src/key.pem']) {
    expect(await readFile(join(root, name), 'utf8')).toBe(SECRET);
  }
});

test.each<[string, string, readonly string[]]>([
  ['secret.txt', '/ws', ['!**/secret.txt', '!**/secret.txt/**']],
  ['src/a', '/ws', ['!/src/a', '!/src/a/**']],
  ['src/a', '/ws/src', ['!/a', '!/a/**']],
  ['src/a', '/ws/lib', []],
  ['src', '/ws/src/deep', ['!**/src', '!**/src/**']],
  ['src/*', '/ws/src/deep', ['!**', '!**/**']],
  ['src/**', '/ws/src/deep', ['!**', '!**/**']],
  ['*/a', '/ws/src', ['!/a', '!/a/**']],
  ['/etc/ssl', '/etc', ['!/ssl', '!/ssl/**']],
  ['/etc/ssl', '/ws', []],
])('%s seen from %s', (pattern, folder, globs) => {
  expect(createDenyList([pattern], ['/ws']).globsIn(folder)).toEqual(globs);
});
