import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Broker, createBroker } from '../../src/hosts/create-broker.ts';
import { noRun } from '../support/no-run.ts';

interface EditCase {
  readonly id: string;
  readonly path: string;
  readonly before: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
  readonly expect: 'apply' | 'reject';
  readonly after: string | null;
  readonly note?: string;
}

const CASES = readFileSync(join(import.meta.dirname, '../broker/cases/edit.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as EditCase);

let root: string;
let broker: Broker;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'on-disk-')));
  broker = await createBroker({ root, run: noRun, tools: ['Edit', 'Write', 'apply_patch'] });
});
afterAll(() => broker.close());

const put = async (name: string, text: string): Promise<void> => {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), text);
};
const bytesOf = (name: string): Promise<Buffer> => readFile(join(root, name));

describe('cases from reports, as bytes on the disk', () => {
  test.each(CASES.map((each) => [each.id, each] as const))('%s', async (id, each) => {
    const file_path = `${id}/${each.path}`;
    await put(file_path, each.before);
    const { old_string, new_string, replace_all = false } = each;
    const result = await broker.call('Edit', { file_path, old_string, new_string, replace_all });
    expect(result.ok, result.text).toBe(each.expect === 'apply');
    expect(await bytesOf(file_path), each.note).toEqual(Buffer.from(each.after ?? each.before));
  });
});

describe('a patch', () => {
  test.each<[string, string, string, string]>([
    [
      'of a CRLF file with a byte order mark writes CRLF and keeps the mark',
      '\ufeffalpha\r\nbeta\r\ngamma\r\n',
      '@@\n alpha\n-beta\n+BETA\n+beta2\n gamma\n',
      '\ufeffalpha\r\nBETA\r\nbeta2\r\ngamma\r\n',
    ],
    [
      'finds the first line of a file with a byte order mark',
      '\ufefflet v = 1;\n',
      '@@\n-let v = 1;\n+let v = 2;\n',
      '\ufefflet v = 2;\n',
    ],
    ['leaves a missing final newline missing', 'a\nb', '@@\n-a\n+A\n b\n', 'A\nb'],
  ])('%s', async (_what, before, hunk, after) => {
    await put('patched.txt', before);
    const input = `*** Begin Patch\n*** Update File: patched.txt\n${hunk}*** End Patch\n`;
    expect(await broker.call('apply_patch', { input })).toMatchObject({ ok: true });
    expect(await bytesOf('patched.txt')).toEqual(Buffer.from(after));
  });
});

describe('the end of a file', () => {
  test('text put behind a last line without a newline does not glue to it', async () => {
    await put('t.txt', 'a\nb\nc');
    expect(await broker.call('Edit', { file_path: 't.txt', old_string: 'c', new_string: 'c\nX' })).toMatchObject({
      ok: true,
    });
    expect(await bytesOf('t.txt')).toEqual(Buffer.from('a\nb\nc\nX'));
  });

  test('an edited LF file and a new one are LF to the last byte', async () => {
    await put('lf.txt', 'one\ntwo\nthree\n');
    await broker.call('Edit', { file_path: 'lf.txt', old_string: 'two', new_string: 'two\nand more' });
    await broker.call('Write', { file_path: 'new.txt', content: 'one\ntwo\n' });
    expect(await bytesOf('lf.txt')).toEqual(Buffer.from('one\ntwo\nand more\nthree\n'));
    expect(await bytesOf('new.txt')).toEqual(Buffer.from('one\ntwo\n'));
  });
});

test('objects in the place of strings are applied as text or named', async () => {
  await put('c.json', '{"a": 1}\n');
  const result = await broker.call('Edit', { file_path: 'c.json', old_string: { a: 1 }, new_string: { a: 2 } });
  const after = (await bytesOf('c.json')).toString();
  if (result.ok) expect(after).toBe('{"a": 2}\n');
  else {
    expect(result.receipt.code).toBe('invalid_arguments');
    expect(result.text).toMatch(/old_string.*string/);
    expect(after).toBe('{"a": 1}\n');
  }
});
