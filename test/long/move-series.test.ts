import { expect, test } from 'vitest';
import { moveSeries } from '../support/move-series.ts';

test('random patches that move, delete and add leave what a plain model says, and Undo gives all back', async () => {
  const tally = await moveSeries(100, 1);
  console.log(`${tally.patches} patches (${JSON.stringify(tally.parts)}), ${tally.undone} undone and done again`);
  expect(tally.wrong).toEqual([]);
}, 3_600_000);
