import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsNear, wordsOf } from '../../../src/workspace/navigation/words-on-line.ts';

const LINE = "\tconst s = '😀'; export const größe = measure(new Square());";

test('a column that stands on a word means it, another the nearest one', () => {
  const meant = (character: number) => wordsNear(LINE, { character })[0]?.text;
  expect(meant(LINE.indexOf('measure') + 3)).toBe('measure');
  expect(meant(LINE.indexOf('measure') + 'measure'.length)).toBe('measure');
  expect(meant(LINE.indexOf('größe') + 5)).toBe('größe');
  expect(meant(0)).toBe('const');
  expect(meant(9_999)).toBe('Square');
});

test('a name is found wherever it stands, the nearest first', () => {
  expect(wordsNear('a(b, a, c)', { name: 'a', character: 6 }).map(({ start }) => start)).toEqual([5, 0]);
  expect(wordsNear('a(b)', { name: 'x' })).toEqual([]);
});

test('words are stretches of their line, in order and apart', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (line) => {
      let end = 0;
      for (const word of wordsOf(line)) {
        expect(line.slice(word.start, word.end)).toBe(word.text);
        expect(word.start).toBeGreaterThanOrEqual(end);
        end = word.end;
      }
    }),
  );
});
