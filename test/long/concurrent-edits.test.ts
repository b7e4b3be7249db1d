import { expect, test } from 'vitest';
import { concurrentEdits } from '../support/concurrent-edits.ts';

test('1,000 edits and more of one file by 8 clients over 2 processes: none is lost', async () => {
  const { applied, refused } = await concurrentEdits(125);
  console.log(`${applied} applied, ${refused} refused, all accounted for`);
  expect(applied).toBeGreaterThanOrEqual(1000);
});
