import { expect, test } from 'vitest';
import { lineList, rangeList } from '../../src/broker/range-words.ts';

test.each([
  [[1, 2, 3, 9], 'L1-3, L9'],
  [[5], 'L5'],
  [Array.from({ length: 9 }, (_, at) => 2 * at + 1), 'L1, L3, L5, L7, L9, L11, L13, L15 and 1 more place'],
  [Array.from({ length: 4_000 }, (_, at) => 2 * at + 1), 'L1, L3, L5, L7, L9, L11, L13, L15 and 3992 more places'],
])('lines are named in stretches, eight of them at most', (lines, words) => {
  expect(lineList(lines)).toBe(words);
});

test('stretches of lines are named by their ends', () => {
  expect(
    rangeList([
      [12, 12],
      [120, 131],
    ]),
  ).toBe('L12, L120-131');
});
