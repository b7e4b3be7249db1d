import { expect, test } from 'vitest';
import { type KillSeries, killSeries } from '../support/kill-series.ts';

const seed = Number(process.env.EMEND_SEED ?? 20261201);

test.each<[string, Omit<KillSeries, 'seed'>]>([
  ['edits through the broker', { kills: 100, program: 'edit-until-killed.ts', file: 'plain' }],
  ['writes in place', { kills: 100, program: 'commit-until-killed.ts', file: 'linked' }],
])(
  'kill -9 at 100 random moments during %s: the file is old or new, and nothing else is in the tree',
  async (what, series) => {
    const { kills, changes } = await killSeries({ ...series, seed });
    console.log(`seed ${seed}: ${kills} kills during ${changes} changes (${what})`);
    expect(kills).toBe(series.kills);
    expect(changes).toBeGreaterThanOrEqual(1000);
  },
);
