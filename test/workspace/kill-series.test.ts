import { expect, test } from 'vitest';
import { killSeries } from '../support/kill-series.ts';

test.each(['plain', 'linked'] as const)(
  'a process that is killed while it writes a %s file leaves it old or new, and nothing beside it',
  async (file) => {
    const { changes } = await killSeries({ kills: 2, seed: 20261201, program: 'commit-until-killed.ts', file });
    expect(changes).toBeGreaterThanOrEqual(4);
  },
);
