import { expect, test } from 'vitest';
import { countLineEndings, likeTheOld, lineEndingsOf, withLineEndings } from '../../src/workspace/line-endings.ts';

test.each([
  ['', 'lf', { lf: 0, crlf: 0, cr: 0 }],
  ['a', 'lf', { lf: 0, crlf: 0, cr: 0 }],
  ['a\nb\n', 'lf', { lf: 2, crlf: 0, cr: 0 }],
  ['a\r\nb\r\n', 'crlf', { lf: 0, crlf: 2, cr: 0 }],
  ['a\rb\r', 'cr', { lf: 0, crlf: 0, cr: 2 }],
  ['a\r\nb\n', 'mixed', { lf: 1, crlf: 1, cr: 0 }],
  ['a\r\rb\n\r\n', 'mixed', { lf: 1, crlf: 1, cr: 2 }],
])('%j is %s', (text, kind, counts) => {
  expect(lineEndingsOf(text)).toBe(kind);
  expect(countLineEndings(text)).toEqual(counts);
});

test('withLineEndings makes every line end one kind', () => {
  expect(withLineEndings('a\r\nb\rc\n', 'crlf')).toBe('a\r\nb\r\nc\r\n');
  expect(withLineEndings('a\r\nb\rc\n', 'lf')).toBe('a\nb\nc\n');
  expect(withLineEndings('a\r\nb\rc\n', 'cr')).toBe('a\rb\rc\r');
});

test.each([
  ['a\nB\n', 'a\r\nb\r\n', 'a\r\nB\r\n'],
  ['a\nB\n', 'a\nb\n', 'a\nB\n'],
  ['a\nB\n', 'a\rb', 'a\rB\r'],
  ['a\nB\n', 'a\r\nb\n', 'a\nB\n'],
  ['a\r\nB\n', 'a\r\nb\r\n', 'a\r\nB\n'],
  ['a\nB\n', 'one', 'a\nB\n'],
])('content %j over %j becomes %j', (content, old, written) => {
  expect(likeTheOld(content, old)).toBe(written);
});
