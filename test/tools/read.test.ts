import { execFileSync } from 'node:child_process';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { editTool } from '../../src/tools/edit.ts';
import { globTool } from '../../src/tools/glob.ts';
import { grepTool } from '../../src/tools/grep.ts';
import { readTool } from '../../src/tools/read.ts';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import { createOverlayStore } from '../../src/workspace/overlay-store.ts';
import { PNG } from '../support/png.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';

async function room(
  files: Readonly<Record<string, string | Uint8Array>>,
  options?: Parameters<typeof openToolRoom>[1],
): Promise<ToolRoom> {
  const opened = await openToolRoom(files, options);
  onTestFinished(() => opened.close());
  return opened;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('Read', () => {
  test.each([
    ['numbers lines with a separator that is not a tab', 'a\n\tb\nc\n', {}, '1→a\n2→\tb\n3→c'],
    ['counts no line after the final newline', 'a\nb\nc\n', { offset: 3 }, '3→c\n(lines 3-3 of 3)'],
    ['shows the last line', numbered(10), { offset: 10, limit: 1 }, '10→line 10\n(lines 10-10 of 10)'],
    ['takes offset 0 for the first line', 'a\nb\n', { offset: 0 }, '1→a\n2→b'],
    ['says that a file is empty', '', {}, '(empty file)'],
    ['reads carriage returns as line ends', 'a\r\nb\rc', {}, '1→a\n2→b\n3→c'],
    ['leaves a byte order mark out', '\ufeffa\n', {}, '1→a'],
  ])('%s', async (_what, content, args, expected) => {
    const { call } = await room({ 'x.txt': content });
    const result = await call(readTool, { file_path: 'x.txt', ...args });
    expect(result.ok).toBe(true);
    expect(result.text).toBe(expected);
  });

  test.each([
    ['past the end', { offset: 1200 }, 'offset 1200 is past the end: x.txt has 10 lines.'],
    ['a negative offset', { offset: -3 }, 'offset -3 is no line'],
    ['a broken offset', { offset: 1.5 }, 'offset 1.5 is no line'],
    ['no line at all', { limit: 0 }, 'limit 0 asks for no line'],
  ])('%s is refused with the value in the words', async (_what, args, words) => {
    const { call } = await room({ 'x.txt': numbered(10) });
    const result = await call(readTool, { file_path: 'x.txt', ...args });
    expect(result).toMatchObject({ ok: false, receipt: { code: 'invalid_arguments' } });
    expect(result.text).toContain(words);
  });

  test('a long file is given in pages that join without a gap', async () => {
    const { call } = await room({ 'x.txt': numbered(2500) });
    const first = await call(readTool, { file_path: 'x.txt' });
    expect(first.text.split('\n')).toHaveLength(2001);
    expect(first.text).toContain('\n2000→line 2000\n(lines 1-2000 of 2500; next offset 2001)');
    expect(first.receipt).toMatchObject({ complete: false, total: 2500, next_offset: 2001 });
    const second = await call(readTool, { file_path: 'x.txt', offset: 2001 });
    expect(second.text).toMatch(/^2001→line 2001\n/);
    expect(second.text).toContain('(lines 2001-2500 of 2500)');
  });

  test('50 KB are the end of a page', async () => {
    const { call } = await room({ 'x.txt': `${'x'.repeat(999)}\n`.repeat(100) });
    const { text } = await call(readTool, { file_path: 'x.txt' });
    expect(text).toContain('(lines 1-51 of 100; next offset 52)');
  });

  test('a line that is cut says so, with its real length', async () => {
    const { call } = await room({ 'x.txt': `${'x'.repeat(3000)}END\nnext\n` });
    const { text, receipt } = await call(readTool, { file_path: 'x.txt' });
    expect(text).toContain('… [line cut: 2,000 of 3,003 characters]\n2→next');
    expect(receipt.complete).toBe(false);
    const past = await call(editTool, { file_path: 'x.txt', old_string: 'xxxEND', new_string: 'xxx, the end' });
    expect(past).toMatchObject({ ok: true });
  });

  test('unsaved text comes before the text on disk', async () => {
    const overlay = createOverlayStore(createDiskStore(), { applyEdit: async () => ({ applied: false }) });
    const { call, folder } = await room({ 'x.ts': 'saved\n' }, () => ({ store: overlay }));
    overlay.buffers.open(join(folder, 'x.ts'), 'unsaved\n', 1);
    expect((await call(readTool, { file_path: 'x.ts' })).text).toBe('1→unsaved');
  });

  test('a folder is listed', async () => {
    const { call } = await room({ 'd/b.txt': '', 'd/sub/c.txt': '', 'd/a.txt': '' });
    expect((await call(readTool, { file_path: 'd' })).text).toBe('a.txt\nb.txt\nsub/\n(folder d, 3 entries)');
  });

  test.each([
    [{ 'd/a.txt': '' }, 'offset 9 is past the end: d has 1 entry.'],
    [{ 'd/a.txt': '', 'd/b.txt': '' }, 'offset 9 is past the end: d has 2 entries.'],
  ])('a folder has entries, not lines: %j', async (files, message) => {
    const { call } = await room(files);
    expect((await call(readTool, { file_path: 'd', offset: 9 })).text).toBe(`Error invalid_arguments: ${message}`);
  });

  test('a folder shows each name on one line', async () => {
    const { call } = await room({ 'd/new\nline.txt': '', 'd/e\u001b[2J.txt': '', 'd/\u2028.txt': '' });
    const { text } = await call(readTool, { file_path: 'd' });
    expect(text).toBe('e\\x1b[2J.txt\nnew\\nline.txt\n\\u2028.txt\n(folder d, 3 entries)');
  });

  test.each([
    ['as it is', 'new\nline.txt'],
    ['as it is shown', 'new\\nline.txt'],
  ])('a file with a control character in its name is refused with what to do, written %s', async (_how, file_path) => {
    const { call } = await room({ 'new\nline.txt': 'text\n' });
    const { text, receipt } = await call(readTool, { file_path });
    expect(receipt.code).toBe('invalid_arguments');
    const how = "Its name has a control character, which no tool but Bash takes: mv $'new\\nline.txt' NEW_NAME";
    expect(text).toBe(`Error invalid_arguments: new\\nline.txt is there. ${how}`);
  });

  test('a folder shows a name that is no UTF-8 as Glob and Grep do', async () => {
    const { call, folder } = await room({ 'd/a.txt': 'hit\n' });
    await writeFile(Buffer.concat([Buffer.from(`${folder}/d/n`), Buffer.from([0xff]), Buffer.from('.txt')]), 'hit\n');
    expect((await call(readTool, { file_path: 'd' })).text).toBe('a.txt\nn\\xff.txt\n(folder d, 2 entries)');
    expect((await call(globTool, { pattern: 'd/n*' })).text).toContain('d/n\\xff.txt\n');
    expect((await call(grepTool, { pattern: 'hit' })).text).toContain('d/n\\xff.txt\n');
  });

  test('a file whose name has a real backslash is read', async () => {
    const { call } = await room({ 'new\\nline.txt': 'text\n' });
    expect((await call(readTool, { file_path: 'new\\nline.txt' })).text).toBe('1→text');
  });

  test('an image is an image, whatever its name', async () => {
    const { call } = await room({ 'c.txt': PNG, 'c.png': PNG });
    for (const file_path of ['c.txt', 'c.png']) {
      const result = await call(readTool, { file_path });
      expect(result.images).toEqual([{ mimeType: 'image/png', base64: PNG.toString('base64') }]);
      expect(result.text).toBe(`${file_path}: image/png, 1x1, 70 bytes`);
    }
  });

  test('an image that a model is not sent whole is refused with its size', async () => {
    // A comment of 4 MB before the end, which viewers pass over.
    const comment = Buffer.alloc(12 + 4_000_000);
    comment.writeUInt32BE(4_000_000);
    comment.write('tEXt', 4);
    const { call } = await room({ 'big.png': Buffer.concat([PNG.subarray(0, -12), comment, PNG.subarray(-12)]) });
    const { text, images } = await call(readTool, { file_path: 'big.png' });
    expect(images).toBeUndefined();
    expect(text).toMatch(
      /^Error too_large: big\.png is an image of 3\.8 MB, over 3\.6 MB\. Make a smaller copy with Bash/,
    );
  });

  test.each([
    ['an SVG called PNG', 'fake.png', '<svg xmlns="http://www.w3.org/2000/svg"/>\n'],
    ['JSON called JPEG', 'a.jpg', '{"a": "some text"}\n'],
  ])('%s is text, with a note', async (_what, name, content) => {
    const { call } = await room({ [name]: content });
    const result = await call(readTool, { file_path: name });
    expect(result.images).toBeUndefined();
    expect(result.text).toMatch(/^note: named \.(png|jpg), but its content is text\n1→/);
  });

  test.each([
    ['one byte called PNG', 'b.png', Buffer.from([0x89]), 'binary'],
    ['one letter called PNG', 'b.png', Buffer.from('x'), 'binary'],
    ['a PNG that is cut short', 'd.png', PNG.subarray(0, 50), 'binary'],
    ['noise called PNG', 'r.png', Buffer.from(Array.from({ length: 100 }, (_, n) => (n * 151 + 7) % 256)), 'binary'],
    ['a program', 'prog', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0', 'latin1'), 'binary'],
  ])('%s is refused, never shown as an image', async (_what, name, content, code) => {
    const { call } = await room({ [name]: content, 'ok.txt': 'a\n' });
    const result = await call(readTool, { file_path: name });
    expect(result).toMatchObject({ ok: false, receipt: { code } });
    expect(result.images).toBeUndefined();
    expect(result.text).toContain(name);
    expect((await call(readTool, { file_path: 'ok.txt' })).text).toBe('1→a');
  });

  test.each([
    ['another case', 'src/Auth.ts', 'Error not_found: src/Auth.ts. Did you mean src/auth.ts?'],
    ['another extension', 'src/auth.js', 'Error not_found: src/auth.js. Did you mean src/auth.ts?'],
    ['another folder', 'auth.ts', 'Error not_found: auth.ts. Did you mean src/auth.ts?'],
    ['nothing like it', 'zebra.md', 'Error not_found: zebra.md. See what its folder has.'],
  ])('a miss proposes what was meant: %s', async (_what, file_path, expected) => {
    const { call } = await room({ 'src/auth.ts': 'a\n', 'src/b.ts': 'b\n' });
    expect((await call(readTool, { file_path })).text).toBe(expected);
  });

  test.each([
    ['a narrow blank', 'Shot 9.41\u202fAM.txt', 'Shot 9.41 AM.txt'],
    ['NFD', 'cafe\u0301.txt', 'caf\u00e9.txt'],
    ['a curly quote', 'Bob\u2019s.txt', "Bob's.txt"],
  ])('a name that differs in %s is opened, with a note', async (_what, onDisk, asked) => {
    const { call } = await room({ [onDisk]: 'text\n' });
    const result = await call(readTool, { file_path: asked });
    expect(result.ok).toBe(true);
    expect(result.text).toMatch(/^note: .*look the same\n1→text$/);
  });

  test('a pipe is refused at once', async () => {
    const { call, folder } = await room({});
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const result = await call(readTool, { file_path: 'pipe' });
    expect(result).toMatchObject({ ok: false });
    expect(result.text).toContain('pipe');
  });

  test('UTF-16 is decoded and named', async () => {
    const { call } = await room({ 'u.txt': Buffer.from('\ufeffgröße\r\n', 'utf16le') });
    expect((await call(readTool, { file_path: 'u.txt' })).text).toBe('1→größe\n(utf-16le)');
  });

  test('a large file is paged, and its size told where its lines were not counted', async () => {
    const { call } = await room({ 'big.txt': numbered(600_000) });
    const first = await call(readTool, { file_path: 'big.txt', limit: 2 });
    expect(first.text).toBe('1→line 1\n2→line 2\n(lines 1-2 of a file of 6.8 MB; next offset 3)');
    const last = await call(readTool, { file_path: 'big.txt', offset: 599_999 });
    expect(last.text).toBe('599999→line 599999\n600000→line 600000\n(lines 599999-600000 of 600000)');
    const past = await call(readTool, { file_path: 'big.txt', offset: 600_001 });
    expect(past.text).toContain('big.txt has 600,000 lines');
  });

  const LARGE = 'größe für große Übungen\n'.repeat(250_000);
  const PROSE = '\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8\u3067\u3059\u3002\n';
  test.each([
    ['UTF-16 with its mark', Buffer.from(`\ufeff${LARGE}`, 'utf16le'), 'utf-16le'],
    ['UTF-16, the high end first', Buffer.from(`\ufeff${LARGE}`, 'utf16le').swap16(), 'utf-16be'],
    ['UTF-16 without a mark', Buffer.from(LARGE, 'utf16le'), 'utf-16le'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${LARGE}`), undefined],
    ['Latin-1', Buffer.from(LARGE, 'latin1'), 'iso-8859-1'],
    ['UTF-8 with CRLF', Buffer.from(LARGE.replaceAll('\n', '\r\n')), undefined],
  ])('a large text in %s is read from its first line to its last', async (_what, bytes, encoding) => {
    expect(bytes.length).toBeGreaterThan(4 * 1024 * 1024);
    const { call } = await room({ 'big.txt': bytes });
    const tail = encoding === undefined ? '' : `; ${encoding}`;
    const first = await call(readTool, { file_path: 'big.txt', limit: 1 });
    expect(first.text.replace(/ a file of [\d.]+ MB/, '')).toBe(
      `1→größe für große Übungen\n(lines 1-1 of; next offset 2${tail})`,
    );
    const last = await call(readTool, { file_path: 'big.txt', offset: 250_000 });
    expect(last.text).toBe(`250000→größe für große Übungen\n(lines 250000-250000 of 250000${tail})`);
  });

  test('a large text in Shift-JIS is read as that', async () => {
    const bytes = iconv.encode(PROSE.repeat(250_000), 'shift_jis');
    const { call } = await room({ 'big.txt': bytes });
    const { text } = await call(readTool, { file_path: 'big.txt', limit: 1 });
    expect(text).toMatch(/^1→\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8\u3067\u3059\u3002\n\(.*; shift_jis\)$/);
  });

  test.each([
    ['small', 10],
    ['large', 250_000],
  ])('a %s text in UTF-32 is refused with what to do', async (_size, lines) => {
    const bytes = iconv.encode('some text\n'.repeat(lines), 'utf-32le', { addBOM: true });
    const { call } = await room({ 'u32.txt': bytes });
    const { text, receipt } = await call(readTool, { file_path: 'u32.txt' });
    expect(receipt.code).toBe('binary');
    expect(text).toContain('is a text in UTF-32');
    expect(text).toContain('iconv -f UTF-32 -t UTF-8');
  });

  test('a large file of NUL bytes is binary', async () => {
    const { call } = await room({ 'holes.img': Buffer.alloc(5 * 1024 * 1024) });
    expect((await call(readTool, { file_path: 'holes.img' })).receipt.code).toBe('binary');
  });

  test('of a file of gigabytes the first page comes without the rest', async () => {
    const { call, folder } = await room({ 'holes.img': '', 'log.txt': numbered(200_000) });
    const sizes = { 'holes.img': 10, 'log.txt': 3 } as const;
    for (const [name, gigabytes] of Object.entries(sizes)) await truncate(join(folder, name), gigabytes * 1024 ** 3);
    const before = process.memoryUsage().rss;
    expect((await call(readTool, { file_path: 'holes.img' })).receipt.code).toBe('binary');
    const log = await call(readTool, { file_path: 'log.txt', limit: 2 });
    expect(log.text).toBe('1→line 1\n2→line 2\n(lines 1-2 of a file of 3.0 GB; next offset 3)');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
  });

  test('a line of a gigabyte is shown to the cut, and its end is not looked for', async () => {
    const { call, folder } = await room({ 'one.txt': 'x'.repeat(2 * 1024 ** 2), 'hole.txt': 'first\n' });
    for (const name of ['one.txt', 'hole.txt']) await truncate(join(folder, name), 1024 ** 3);
    const before = process.memoryUsage().rss;
    const one = await call(readTool, { file_path: 'one.txt' });
    const footer =
      'was not read to its end; next offset 2, if there is a line; 1 line cut: Grep shows other parts of them';
    expect(one.text).toBe(
      `1→${'x'.repeat(2000)}… [line cut: 2,000 of at least 1.0 MB]\n(lines 1-1 of a file of 1.0 GB; line 1 ${footer})`,
    );
    expect(one.receipt).toMatchObject({ ok: true, complete: false, next_offset: 2 });
    const hole = await call(readTool, { file_path: 'hole.txt' });
    expect(hole.text).toMatch(
      /^1→first\n2→… \[line cut: 0 of at least 1\.0 MB, NUL bytes from there\]\n\(lines 1-2 of/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
  });

  test('a receipt says how many bytes the limits of the tool left out, once for a file', async () => {
    const lines = 'a line\n'.repeat(9000);
    const { call } = await room({ 'long.txt': lines, 'wide.txt': `${'x'.repeat(5000)}\nend\n` });
    const first = await call(readTool, { file_path: 'long.txt' });
    expect(first.receipt.left_out).toBe(7 * 7000 + 1);
    for (const page of [{ offset: 2001 }, { limit: 10 }]) {
      expect((await call(readTool, { file_path: 'long.txt', ...page })).receipt).not.toHaveProperty('left_out');
    }
    const wide = (await call(readTool, { file_path: 'wide.txt' })).receipt.left_out ?? 0;
    expect(wide).toBeGreaterThan(2900);
    expect(wide).toBeLessThan(3000);
  });

  test('a link is read through', async () => {
    const { call, folder } = await room({ 'a.txt': 'text\n' });
    await symlink('a.txt', join(folder, 'link'));
    expect((await call(readTool, { file_path: 'link' })).text).toBe('1→text');
  });
});
