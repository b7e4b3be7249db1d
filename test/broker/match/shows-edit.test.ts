import { describe, expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

const FILE = 'one\ntwo\nthree = 3;\nfour(a, b)\nfive\n';

describe('an edit that takes lines away and finds none of them', () => {
  test.each([
    ['below a line that stays', 'two\ngone\n', 'two\n'],
    ['above a line that stays', 'gone\nfive\n', 'five\n'],
    ['below lines that stay', 'one\ntwo\ngone\n', 'one\ntwo\n'],
    ['both beside and between lines that stay', 'one\ngone\ntwo\nlost\n', 'one\ntwo\n'],
    ['at the end of a line that goes on', 'three = 3 // gone', 'three = 3'],
    ['at the end of a line, and the line below', 'five // gone\nlost', 'five'],
    ['all of it', 'gone and lost\n', ''],
  ])('is not made already: %s', (_where, oldString, newString) => {
    expect(replace(FILE, oldString, newString)).toMatchObject({ status: 'refused', code: 'no_match' });
  });

  test.each([
    ['between two lines that stand next to each other', 'two\ngone\nthree = 3;\n', 'two\nthree = 3;\n'],
    ['between several', 'one\ngone\ntwo\nlost\nthree = 3;\n', 'one\ntwo\nthree = 3;\n'],
    ['within a line', 'four(a, gone, b)', 'four(a, b)'],
    ['at the end of a line that ends there', 'three = 3; // gone', 'three = 3;'],
    ['in place of other lines', 'gone\nlost\n', 'one\ntwo\n'],
    ['beside a line that comes', 'gone\ntwo\n', 'one\ntwo\n'],
  ])('is made already: %s', (_where, oldString, newString) => {
    expect(replace(FILE, oldString, newString)).toMatchObject({ status: 'refused', code: 'already_applied' });
  });
});
