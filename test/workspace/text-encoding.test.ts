import { Buffer } from 'node:buffer';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import type { TextForm } from '../../src/workspace/document-snapshot.ts';
import { byteRange, decodeText, encodeChange, encodeText } from '../../src/workspace/text-encoding.ts';
import { tallyRandomEdits } from '../support/encoded-files.ts';

const BOM8 = [0xef, 0xbb, 0xbf];

function decoded(bytes: Uint8Array, charset?: string): { text: string; form: TextForm } {
  const result = decodeText(bytes, charset === undefined ? {} : { charset });
  if (result.status !== 'decoded') throw new Error(`not decoded: ${result.status}`);
  return result;
}

/** Replaces the only place of `old`, and gives the new bytes or the refusal's message. */
function edit(bytes: Uint8Array, old: string, newText: string, charset?: string): Uint8Array | string {
  const { text, form } = decoded(bytes, charset);
  const start = text.indexOf(old);
  if (start < 0) throw new Error(`no ${old} in ${text}`);
  const result = encodeChange(bytes, { text, form }, [{ start, end: start + old.length, newText }]);
  return result.status === 'encoded' ? result.bytes : result.message;
}

const utf16 = (text: string, order: 'utf-16le' | 'utf-16be'): Buffer =>
  Buffer.from(encodeText(text, { encoding: order, hasBom: true }));

const POLISH =
  '// Zażółć gęślą jaźń - próba: właściwości obiektu są sprawdzane przed każdą zmianą.\nconst nazwa = "Łódź";\n' +
  '// Jeśli źródło się zmieniło, błąd zostanie zgłoszony użytkownikowi z pełną ścieżką do pliku.\n';
const CZECH =
  '// Příliš žluťoučký kůň úpěl ďábelské ódy. Řetězec se vždy převádí na malá písmena před porovnáním.\n' +
  '// Když není nalezen žádný záznam, vrátí se výchozí hodnota, která byla určena v nastavení uživatele.\n';

describe('decoding', () => {
  test.each([
    ['Polish', POLISH, 'iso-8859-2'],
    ['Polish', POLISH, 'windows-1250'],
    ['Czech', CZECH, 'iso-8859-2'],
    ['Czech', CZECH, 'windows-1250'],
  ])('%s in Latin letters that Western text has not: %j in %s', (_language, text, encoding) => {
    const found = decoded(iconv.encode(text, encoding));
    expect([found.text, found.form.encoding]).toEqual([text, encoding]);
  });

  test.each<[string, Uint8Array, string, TextForm]>([
    ['nothing', Buffer.from(''), '', { encoding: 'utf-8', hasBom: false }],
    ['ASCII', Buffer.from('a\r\nb'), 'a\r\nb', { encoding: 'utf-8', hasBom: false }],
    ['UTF-8', Buffer.from('é 表 😀'), 'é 表 😀', { encoding: 'utf-8', hasBom: false }],
    ['UTF-8 with a mark', Buffer.from([...BOM8, 97]), 'a', { encoding: 'utf-8', hasBom: true }],
    [
      'UTF-8 with a mark in its text too',
      Buffer.from([...BOM8, ...BOM8, 97]),
      '\ufeffa',
      { encoding: 'utf-8', hasBom: true },
    ],
    ['UTF-16 LE', utf16('hi\n', 'utf-16le'), 'hi\n', { encoding: 'utf-16le', hasBom: true }],
    ['UTF-16 BE', utf16('hi 😀\n', 'utf-16be'), 'hi 😀\n', { encoding: 'utf-16be', hasBom: true }],
    [
      'UTF-16 LE without a mark',
      Buffer.from('name = value\n', 'utf16le'),
      'name = value\n',
      { encoding: 'utf-16le', hasBom: false },
    ],
    [
      'UTF-16 BE without a mark',
      Buffer.from('name = 表示\n', 'utf16le').swap16(),
      'name = 表示\n',
      { encoding: 'utf-16be', hasBom: false },
    ],
    [
      'UTF-8 with a byte that is none',
      Buffer.from('ok \xc3\xa9\nbad \xd6 here\n', 'latin1'),
      'ok é\nbad \ufffd here\n',
      { encoding: 'utf-8', hasBom: false, isGuess: true },
    ],
  ])('%s', (_what, bytes, text, form) => {
    expect(decodeText(bytes)).toEqual({ status: 'decoded', text, form });
  });

  test('CJK comments in UTF-8 are text', () => {
    const text = `${'// 这个模块处理输入信号并输出结果\nwire a;\n'.repeat(30)}`;
    expect(decoded(Buffer.from(text)).text).toBe(text);
  });

  test.each<[string, Uint8Array]>([
    ['NUL bytes', Buffer.from('ab\0cd')],
    ['control bytes among high ones', Buffer.from([0x89, 1, 2, 3, 0x1a, 0xff, 0xfe, 4, 5])],
    ['sound of 16 bits', Buffer.from(Uint16Array.from({ length: 200_000 }, (_, i) => i % 200).buffer)],
    ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
  ])('%s: binary', (_what, bytes) => {
    expect(decodeText(bytes)).toEqual({ status: 'binary' });
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 97, 0, 0, 0]), /utf-32/],
    ['UTF-16 cut in a unit', Buffer.from([0xff, 0xfe, 97, 0, 98]), /odd number of bytes \(5\)/],
    ['ISO-2022-JP', Buffer.from('\x1b$B4A;z\x1b(B\n', 'latin1'), /iso-2022/],
  ])('%s can not be edited, and the message says why', (_what, bytes, message) => {
    expect(decodeText(bytes)).toMatchObject({ status: 'encoding', message: expect.stringMatching(message) });
  });
});

describe('splicing a change', () => {
  const cases: [string, Uint8Array, string, string, Uint8Array][] = [
    ['UTF-8', Buffer.from('clé = 1\n'), '1', '2 é', Buffer.from('clé = 2 é\n')],
    ['a mark is kept', Buffer.from([...BOM8, ...Buffer.from('a\r\n')]), 'a', 'b', Buffer.from([...BOM8, 98, 13, 10])],
    ['UTF-16 LE', utf16('hi\nthere\n', 'utf-16le'), 'there', 'you 😀', utf16('hi\nyou 😀\n', 'utf-16le')],
    ['UTF-16 BE', utf16('hi\nthere\n', 'utf-16be'), 'there', 'yöu', utf16('hi\nyöu\n', 'utf-16be')],
    [
      'bytes that are no UTF-8, far away',
      Buffer.from('ok \xc3\xa9\nbad \xd6 here\nend = 1\n', 'latin1'),
      'end = 1',
      'end = 2',
      Buffer.from('ok \xc3\xa9\nbad \xd6 here\nend = 2\n', 'latin1'),
    ],
    [
      'bytes that are no UTF-8, repeated in the edit',
      Buffer.from('\xc3\xa9 \xc3\xa9\nbad \xd6 and \xd7 here\n', 'latin1'),
      'bad \ufffd and \ufffd here',
      'BAD \ufffd or \ufffd HERE',
      Buffer.from('\xc3\xa9 \xc3\xa9\nBAD \xd6 or \xd7 HERE\n', 'latin1'),
    ],
    [
      'Latin-1, ASCII on another line',
      Buffer.from('flag = False  # d\xe9j\xe0\n', 'latin1'),
      'False',
      'True',
      Buffer.from('flag = True  # d\xe9j\xe0\n', 'latin1'),
    ],
    [
      'Shift_JIS, a trail byte that looks like a backslash',
      iconv.encode('// 表\nchar *s = "a\\b";\n', 'shift_jis'),
      'a\\b',
      'a/b',
      iconv.encode('// 表\nchar *s = "a/b";\n', 'shift_jis'),
    ],
    ['half of a pair', Buffer.from('x 😀 y'), '\ude00', '\ude01', Buffer.from('x 😁 y')],
    [
      'a mark that is a real character',
      Buffer.from('a \ufffd b'),
      '\ufffd',
      '\ufffd\ufffd',
      Buffer.from('a \ufffd\ufffd b'),
    ],
  ];
  test.each(cases)('%s', (_what, bytes, old, newText, after) => {
    expect(Buffer.from(edit(bytes, old, newText)).toString('latin1')).toBe(Buffer.from(after).toString('latin1'));
  });

  test.each<[string, Uint8Array, string, string, RegExp]>([
    ['half a pair alone', Buffer.from('a'), 'a', '\ud83d', /lone surrogate \(U\+D83D\)/],
    [
      'foreign text in an encoding that is a guess',
      Buffer.from('flag # d\xe9j\xe0\n', 'latin1'),
      'flag',
      '名',
      /ASCII|no "名"/,
    ],
    [
      'more marks than there were',
      Buffer.from('\xc3\xa9 \xd6\n', 'latin1'),
      '\ufffd',
      '\ufffd\ufffd',
      /1 replacement|2 replacement/,
    ],
    [
      'a byte that would become part of a character',
      Buffer.from('\xc3\xa9 \xc3x\xa9 \xc3\xa9', 'latin1'),
      'x',
      '',
      /no text/,
    ],
  ])('refuses %s', (_what, bytes, old, newText, message) => {
    const before = Buffer.from(bytes);
    expect(edit(bytes, old, newText)).toMatch(message);
    expect(before.equals(bytes)).toBe(true);
  });

  test('forty thousand changes of one file take time by their number, not by its square', () => {
    const line = 'alpha beta;\n';
    const base = Buffer.from(line.repeat(40_000));
    const decoded = { text: base.toString(), form: { encoding: 'utf-8', hasBom: false } } as const;
    const edits = Array.from({ length: 40_000 }, (_, n) => {
      return { start: n * line.length, end: n * line.length + 5, newText: 'a' };
    });
    const cpu = process.cpuUsage();
    const changed = encodeChange(base, decoded, edits);
    const { user, system } = process.cpuUsage(cpu);
    expect(changed).toEqual({ status: 'encoded', bytes: Buffer.from('a beta;\n'.repeat(40_000)) });
    // Microseconds of this process alone; by the square of their number it was minutes.
    expect(user + system).toBeLessThan(5_000_000);
  });

  test('with a named charset foreign text goes in, and what it lacks is refused with its code point', () => {
    const bytes = iconv.encode('title=表示\n', 'shift_jis');
    expect(edit(bytes, 'title', '名=1\ntitle', 'shift_jis')).toEqual(iconv.encode('名=1\ntitle=表示\n', 'shift_jis'));
    expect(edit(bytes, 'title', '😀', 'shift_jis')).toMatch(/shift_jis, which has no "😀" \(U\+1F600\)/);
  });

  test('a plain ASCII file takes the charset that it is said to have', () => {
    expect(edit(Buffer.from('a\n'), 'a', 'é', 'latin1')).toEqual(Buffer.from('\xe9\n', 'latin1'));
    expect(edit(Buffer.from('a\n'), 'a', 'é')).toEqual(Buffer.from('é\n'));
  });

  test('UTF-8 that is said to be Latin-1 takes ASCII only', () => {
    expect(edit(Buffer.from('é a\n'), 'a', 'b', 'latin1')).toEqual(Buffer.from('é b\n'));
    expect(edit(Buffer.from('é a\n'), 'a', 'ö', 'latin1')).toMatch(/not known for sure/);
  });
});

test('byteRange gives the bytes of a span, the mark counted', () => {
  const bytes = Buffer.from([...BOM8, ...Buffer.from('é表😀x')]);
  const document = decoded(bytes);
  expect(byteRange(bytes, document, { start: 0, end: 1 })).toEqual([3, 5]);
  expect(byteRange(bytes, document, { start: 1, end: 2 })).toEqual([5, 8]);
  expect(byteRange(bytes, document, { start: 2, end: 4 })).toEqual([8, 12]);
  expect(byteRange(bytes, document, { start: 4, end: 5 })).toEqual([12, 13]);
  const wide = utf16('hi\n', 'utf-16le');
  expect(byteRange(wide, decoded(wide), { start: 1, end: 3 })).toEqual([4, 8]);
});

test('encodeText writes one mark at most', () => {
  expect(encodeText('\ufeffa', { encoding: 'utf-8', hasBom: true })).toEqual(Buffer.from([...BOM8, 97]));
  expect(encodeText('a', { encoding: 'utf-8', hasBom: false })).toEqual(Buffer.from('a'));
});

test('random edits of files in 8 encodings: what is applied is right to the byte, ASCII always goes in', () => {
  const { ascii, foreign, wrong } = tallyRandomEdits(800, 20261201);
  expect(wrong).toEqual([]);
  expect(ascii.refused).toBe(0);
  expect(foreign.applied / (foreign.applied + foreign.refused)).toBeGreaterThanOrEqual(0.9);
});

test.each([
  ['gbk', '// 返回 请\n'],
  ['shift_jis', '// は を\n'],
  ['euc-kr', '// 데이터를\n'],
  ['windows-1251', '// имя\n'],
])('a few words in %s are no proof of an encoding: only ASCII goes in', (encoding, text) => {
  const bytes = iconv.encode(text, encoding);
  expect(edit(bytes, '//', '# é')).toMatch(/not known for sure/);
  expect(edit(bytes, '//', '#')).toEqual(iconv.encode(text.replace('//', '#'), encoding));
});

test.each([
  ['windows-1251', '// Эта функция возвращает имя текущего пользователя или ничего\n', 'Имя'],
  ['koi8-r', '// Эта функция возвращает имя текущего пользователя или ничего\n', 'Имя'],
  ['big5', '// 這個函數返回當前用戶的名稱如果沒有找到則拋出異常請注意參數不能為空\n', '名稱'],
  ['euc-jp', '// この関数は現在のユーザーの名前を返します見つからない場合は例外を投げます\n', '名前'],
])('a sentence in %s is enough to write in it', (encoding, text, word) => {
  const bytes = iconv.encode(text, encoding);
  expect(decoded(bytes).form).toEqual({ encoding, hasBom: false });
  expect(edit(bytes, '//', word)).toEqual(iconv.encode(text.replace('//', word), encoding));
});

test.each([
  ['utf-16le', Buffer.from('abcd\n\n'), 'utf-8'],
  ['utf-16le', Buffer.from('a = 表示\n', 'utf16le'), 'utf-16le'],
  ['utf-8-bom', Buffer.from('abcd'), 'utf-8'],
])('a charset that the bytes belie is passed over: %s', (charset, bytes, encoding) => {
  expect(decoded(bytes, charset).form).toEqual({ encoding, hasBom: false });
});
