import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignRare } from '../../../src/broker/match/align-rare.ts';

const sequence = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 30 }).map((list) => Int32Array.from(list));

test('pairs are of equal elements and keep their order', () => {
  fc.assert(
    fc.property(sequence, sequence, (a, b) => {
      const pairs = [...alignRare(a, b).entries()].filter(([, pair]) => pair >= 0);
      expect(pairs.every(([index, pair]) => a[index] === b[pair])).toBe(true);
      expect(pairs.every(([, pair], at) => at === 0 || pair > (pairs[at - 1]?.[1] ?? -1))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('what stands once on both sides is found, and what is equal beside it', () => {
  const [a, b] = [Int32Array.of(9, 1, 9, 2, 9, 3), Int32Array.of(7, 9, 1, 9, 8, 9, 3)];
  expect([...alignRare(a, b)]).toEqual([1, 2, 3, -1, 5, 6]);
});
