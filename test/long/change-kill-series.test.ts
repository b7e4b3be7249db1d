import { expect, test } from 'vitest';
import { changeKillSeries } from '../support/change-kill-series.ts';

const seed = Number(process.env.EMEND_SEED ?? 20261201);
const kills = 200;

test(`kill -9 at ${kills} random moments of changes of five files: all old or all new, and nothing else in the tree`, async () => {
  const { turns, torn } = await changeKillSeries({ kills, seed });
  console.log(`seed ${seed}: ${kills} kills during ${turns} changes; ${torn} left files at two turns, all put right`);
  expect(turns).toBeGreaterThan(kills);
});
