import { expect, test } from 'vitest';
import { tallyRandomEdits } from '../support/encoded-files.ts';

test('10,000 random edits of files in 8 encodings', () => {
  const seed = Number(process.env.EMEND_SEED ?? 20261202);
  const { ascii, foreign, wrong } = tallyRandomEdits(10_000, seed);
  console.log(
    `seed ${seed}: ASCII ${ascii.applied} applied, ${ascii.refused} refused; ` +
      `others ${foreign.applied} applied, ${foreign.refused} refused; wrong ${wrong.length}`,
  );
  expect(wrong).toEqual([]);
  expect(ascii.refused).toBe(0);
  expect(foreign.applied / (foreign.applied + foreign.refused)).toBeGreaterThanOrEqual(0.9);
});
