import { expect, test } from 'vitest';
import { swapSeries } from '../support/swap-series.ts';

test('a folder that is swapped for a link while a write is on its way leads nothing out', async () => {
  const { written, refused } = await swapSeries(300);
  expect(written + refused).toBe(300);
});
