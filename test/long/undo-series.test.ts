import { expect, test } from 'vitest';
import { undoSeries } from '../support/undo-series.ts';

const seed = Number(process.env.EMEND_SEED ?? 20261202);
const COUNT = 1000;

test(`${COUNT} random changes, each undone: the tree is the same to the byte, modes and folders too`, async () => {
  const { undone, files, redone, wrong } = await undoSeries(COUNT, seed);
  console.log(
    `seed ${seed}: ${undone} changes of ${files} files undone, ${redone} of them made again by undoing that; ${wrong.length} wrong`,
  );
  expect(wrong).toEqual([]);
  expect(undone).toBe(COUNT);
});
