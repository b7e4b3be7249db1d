import fc from 'fast-check';
import { describe, test } from 'vitest';
import { checkLaws, checkWrite, EDIT, TWO_TEXTS } from '../support/edit-laws.ts';

describe('the laws of an edit, on a slice of the runs', () => {
  test('outside the hunks nothing changes, undo is identity, one place at most, exact is literal, no is typed', () => {
    fc.assert(fc.property(EDIT, checkLaws), { numRuns: 600, seed: 20261202 });
  });
  test('a write is the edits between two texts', () => {
    fc.assert(fc.property(TWO_TEXTS, checkWrite), { numRuns: 600, seed: 20261202 });
  });
});
