import { expect, test } from 'vitest';
import { undoSeries } from '../support/undo-series.ts';

test('random changes that are undone leave the tree as it was, to the byte, modes and folders too', async () => {
  const { undone, wrong } = await undoSeries(60, 20261202);
  expect(wrong).toEqual([]);
  expect(undone).toBe(60);
}, 300_000);
