import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { characterStart, count, cutAround, cutLine, plural, shortened, size } from '../../src/workspace/truncation.ts';

describe('cutting', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1204, '1,204'],
    [1234567, '1,234,567'],
  ])('%d is written %s', (value, text) => {
    expect(count(value)).toBe(text);
  });

  test.each([
    [1, '1 byte'],
    [812, '812 bytes'],
    [1229, '1.2 KB'],
    [1024 ** 3, '1.0 GB'],
  ])('%d bytes are written %s', (value, text) => {
    expect(size(value)).toBe(text);
  });

  test.each([
    [1, 'match', '1 match'],
    [2, 'match', '2 matches'],
    [1204, 'file', '1,204 files'],
  ])('%d %s reads %s', (value, noun, text) => {
    expect(plural(value, noun)).toBe(text);
  });

  test('a line that fits is left alone', () => {
    expect(cutLine('abc', 3)).toEqual({ text: 'abc', isCut: false });
  });

  test('a match far along a long line is shown with both ends marked', () => {
    const line = `${'a'.repeat(90_000)}NEEDLE${'b'.repeat(90_000)}`;
    const cut = cutAround(line, { start: 90_000, end: 90_006 }, 300);
    expect(cut.text).toMatch(/^…a+NEEDLEb+…$/);
    expect(cut.text.length).toBeLessThanOrEqual(302);
  });

  test('no cut splits a character', () => {
    const text = fc.array(fc.constantFrom('a', '😀', 'e\u0301', '👩‍👩‍👧', '日'), { maxLength: 40 });
    fc.assert(
      fc.property(text, fc.nat(80), fc.integer({ min: 1, max: 30 }), (pieces, at, maxLength) => {
        const line = pieces.join('');
        const start = Math.min(at, line.length);
        const shown = [
          line.slice(0, characterStart(line, at)),
          cutAround(line, { start, end: start }, maxLength).text,
          cutLine(line, maxLength).text,
        ];
        for (const part of shown) expect(part).not.toMatch(/\p{Surrogate}/u);
        expect(line.slice(characterStart(line, at))).not.toMatch(/^\p{M}/u);
      }),
    );
  });
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['ab😀d', 3, 'ab…'],
  ['abe\u0301d', 3, 'ab…'],
  ['', 3, ''],
])('shortened(%j, %i) is %j', (text, maxLength, shown) => {
  expect(shortened(text, maxLength)).toBe(shown);
});
