import { expect, test } from 'vitest';
import { changeKillSeries } from '../../support/change-kill-series.ts';

test('a process that is killed while it changes five files leaves them old or new, all together', async () => {
  const { turns } = await changeKillSeries({ kills: 2, seed: 20261201 });
  expect(turns).toBeGreaterThanOrEqual(2);
});
