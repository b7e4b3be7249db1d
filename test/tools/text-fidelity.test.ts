import { Buffer } from 'node:buffer';
import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Broker, createBroker } from '../../src/hosts/create-broker.ts';
import { noRun } from '../support/no-run.ts';

type CallResult = Awaited<ReturnType<Broker['call']>>;

let broker: Broker;
let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'fidelity-')));
  broker = await createBroker({ root, run: noRun });
});
afterAll(() => broker.close());

const put = (name: string, content: Uint8Array | string): Promise<void> => writeFile(join(root, name), content);
const bytesOf = (name: string): Promise<Buffer> => readFile(join(root, name));
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const edit = (file_path: string, old_string: string, new_string: string): Promise<CallResult> =>
  broker.call('Edit', { file_path, old_string, new_string });
const write = (file_path: string, content: string): Promise<CallResult> => broker.call('Write', { file_path, content });

describe('Write', () => {
  test('over a file of CRLF keeps CRLF', async () => {
    await put('w.txt', 'a\r\nb\r\n');
    expect(await write('w.txt', 'a\nB\n')).toMatchObject({ ok: true, receipt: { files: [{ eol: 'crlf' }] } });
    expect(await bytesOf('w.txt')).toEqual(Buffer.from('a\r\nB\r\n'));
  });

  test('over a file of mixed line ends writes the content as it is', async () => {
    await put('mixed.txt', 'a\r\nb\n');
    await write('mixed.txt', 'a\nB\n');
    expect(await bytesOf('mixed.txt')).toEqual(Buffer.from('a\nB\n'));
  });

  test('over a file with a byte order mark keeps exactly one', async () => {
    await put('p.ascx', latin1('\xef\xbb\xbfcl\xc3\xa9\n'));
    await broker.call('Read', { file_path: 'p.ascx' });
    await write('p.ascx', 'clé 2\n');
    expect(await bytesOf('p.ascx')).toEqual(latin1('\xef\xbb\xbfcl\xc3\xa9 2\n'));
    await write('p.ascx', '\ufeffclé 3\n');
    expect(await bytesOf('p.ascx')).toEqual(latin1('\xef\xbb\xbfcl\xc3\xa9 3\n'));
  });

  test('of a new file is LF and UTF-8, with a mark only where the content has one', async () => {
    await write('new/plain.txt', 'é\n');
    expect(await bytesOf('new/plain.txt')).toEqual(Buffer.from('é\n'));
    await write('new/marked.txt', '\ufeffé\n');
    expect(await bytesOf('new/marked.txt')).toEqual(latin1('\xef\xbb\xbf\xc3\xa9\n'));
  });

  test('of a new file follows .editorconfig', async () => {
    await put(
      '.editorconfig',
      'root = true\n[*.bat]\nend_of_line = crlf\ninsert_final_newline = true\ncharset = latin1\n',
    );
    expect(await write('run.bat', 'rem é\necho')).toMatchObject({
      ok: true,
      receipt: { files: [{ encoding: 'iso-8859-1', eol: 'crlf' }] },
    });
    expect(await bytesOf('run.bat')).toEqual(latin1('rem \xe9\r\necho\r\n'));
    const refused = await write('other.bat', 'rem 表\n');
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'encoding' } });
    expect(refused.text).toMatch(/other\.bat: its encoding is iso-8859-1, which has no "表" \(U\+8868\)/);
    expect(await bytesOf('other.bat').catch(() => undefined)).toBeUndefined();
  });
});

describe('Edit keeps the encoding', () => {
  test('one token in a Latin-1 file of CRLF changes one line', async () => {
    const lines = Array.from({ length: 300 }, (_, line) =>
      line % 30 === 0 ? `// opci\xf3n ${line}` : `int v${line} = 0;`,
    );
    await put('A.java', latin1(lines.join('\r\n')));
    expect(await edit('A.java', 'int v149 = 0;', 'int v149 = 1;')).toMatchObject({ ok: true });
    lines[149] = 'int v149 = 1;';
    expect(await bytesOf('A.java')).toEqual(latin1(lines.join('\r\n')));
  });

  test('bytes that are no UTF-8 stay', async () => {
    await put('s.py', latin1('flag = False  # d\xe9j\xe0\n'));
    expect(await edit('s.py', 'False', 'True')).toMatchObject({ ok: true });
    expect(await bytesOf('s.py')).toEqual(latin1('flag = True  # d\xe9j\xe0\n'));
  });

  test('one bad byte in a UTF-8 file is shown, kept, and no reason to refuse', async () => {
    await put('m.txt', latin1('ok \xc3\xa9\nbad \xd6 here\nend = 1\n'));
    expect((await broker.call('Read', { file_path: 'm.txt' })).text).toContain('bad \ufffd here');
    expect(await edit('m.txt', 'end = 1', 'end = 2')).toMatchObject({ ok: true });
    expect(await bytesOf('m.txt')).toEqual(latin1('ok \xc3\xa9\nbad \xd6 here\nend = 2\n'));
    expect(await edit('m.txt', 'bad \ufffd here', 'bad \ufffd there')).toMatchObject({ ok: true });
    expect(await bytesOf('m.txt')).toEqual(latin1('ok \xc3\xa9\nbad \xd6 there\nend = 2\n'));
  });

  test('text put into a Shift_JIS file is Shift_JIS, or refused with its code point', async () => {
    const text = 'title=表示\n; この設定は画面の表示に使われます\n';
    await put('c.ini', iconv.encode(text, 'shift_jis'));
    expect(await edit('c.ini', 'title=', 'name=名\ntitle=')).toMatchObject({
      ok: true,
      receipt: { files: [{ encoding: 'shift_jis' }] },
    });
    const after = await bytesOf('c.ini');
    expect(iconv.decode(after, 'shift_jis')).toBe(`name=名\n${text}`);
    const refused = await edit('c.ini', 'title=', '😀=');
    expect(refused).toMatchObject({ ok: false, receipt: { code: 'encoding' } });
    expect(refused.text).toMatch(/no "😀" \(U\+1F600\)/);
    expect(await bytesOf('c.ini')).toEqual(after);
  });

  test('a trail byte that looks like a backslash is no backslash', async () => {
    await put('p.c', iconv.encode('// 表\nchar *s = "a\\b";\n', 'shift_jis'));
    expect(await edit('p.c', 'a\\b', 'a/b')).toMatchObject({ ok: true });
    expect(await bytesOf('p.c')).toEqual(iconv.encode('// 表\nchar *s = "a/b";\n', 'shift_jis'));
  });

  test('UTF-16 is read, and written with the same mark and order', async () => {
    await put('g.md', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('hi\nthere\n', 'utf16le')]));
    expect((await broker.call('Read', { file_path: 'g.md' })).text).toMatch(/hi[\s\S]*there[\s\S]*utf-16/i);
    expect(await edit('g.md', 'there', 'you')).toMatchObject({ ok: true });
    expect(await bytesOf('g.md')).toEqual(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('hi\nyou\n', 'utf16le')]),
    );
  });

  test('a file of CJK comments is text, 16-bit sound is not', async () => {
    await put('top.v', '// 这个模块处理输入信号并输出结果\nwire a;\n'.repeat(30));
    expect((await broker.call('Read', { file_path: 'top.v' })).text).toContain('处理输入信号');
    await put('a.raw', Buffer.from(Uint16Array.from({ length: 200_000 }, (_, index) => index % 200).buffer));
    expect(await broker.call('Read', { file_path: 'a.raw' })).toMatchObject({ ok: false, receipt: { code: 'binary' } });
    expect(await edit('a.raw', 'abcdef', 'x')).toMatchObject({ ok: false, receipt: { code: 'binary' } });
  });

  test('a charset named in .editorconfig is believed', async () => {
    await put('.editorconfig', 'root = true\n[*.sj]\ncharset = shift_jis\n[*.l1]\ncharset = latin1\n');
    await put('few.sj', iconv.encode('値\n', 'shift_jis'));
    expect(await edit('few.sj', '値\n', '値の\n')).toMatchObject({ ok: true });
    expect(await bytesOf('few.sj')).toEqual(iconv.encode('値の\n', 'shift_jis'));
    await put('ascii.l1', 'first line\n');
    expect(await edit('ascii.l1', 'first', 'é')).toMatchObject({
      ok: true,
      receipt: { files: [{ encoding: 'iso-8859-1' }] },
    });
    expect(await bytesOf('ascii.l1')).toEqual(latin1('\xe9 line\n'));
  });
});

test("a file of another project keeps that project's conventions: nothing but the edit changes", async () => {
  for (const folder of ['a', 'b']) await mkdir(join(root, folder));
  await put('a/biome.json', '{ "javascript": { "formatter": { "quoteStyle": "single" } } }\n');
  await put('b/.prettierrc', '{ "singleQuote": false, "tabWidth": 4 }\n');
  await put('b/.editorconfig', 'root = true\n[*]\nend_of_line = crlf\n');
  const lines = Array.from({ length: 40 }, (_, line) => `    say("line ${line}")\n`);
  await put('b/say.js', lines.join(''));
  const inA = await createBroker({ root: [join(root, 'a'), join(root, 'b')], run: noRun });
  const args = { file_path: join(root, 'b/say.js'), old_string: '"line 20"', new_string: '"line twenty"' };
  expect(await inA.call('Edit', args)).toMatchObject({ ok: true, receipt: { files: [{ added: 1, removed: 1 }] } });
  lines[20] = '    say("line twenty")\n';
  expect(await bytesOf('b/say.js')).toEqual(Buffer.from(lines.join('')));
  await inA.call('Write', { file_path: join(root, 'b/new.js'), content: 'say("new")\n' });
  expect(await bytesOf('b/new.js')).toEqual(Buffer.from('say("new")\r\n'));
  await inA.close();
});
