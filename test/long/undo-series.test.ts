import { expect, test } from 'vitest';
import { undoSeries } from '../support/undo-series.ts';

const seed = Number(process.env.EMEND_SEED ?? 20261202);
const COUNT = 1000;

test(`${COUNT} random changes, each undone: the tree is the same to the byte, modes and folders too`, async () => {
  const { undone, files, redone, broad, ops, wrong } = await undoSeries(COUNT, seed);
  console.log(
    `seed ${seed}: ${undone} changes of ${files} files undone (${broad} of several files; ${JSON.stringify(ops)}), ` +
      `${redone} of them made again by undoing that; ${wrong.length} wrong`,
  );
  expect(wrong).toEqual([]);
  expect(undone).toBe(COUNT);
  expect(broad).toBeGreaterThan(COUNT / 4);
  expect(Object.keys(ops).sort()).toEqual(['create', 'delete', 'edit', 'move']);
});
