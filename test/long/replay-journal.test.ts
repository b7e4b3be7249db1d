import { expect, test } from 'vitest';
import { journaledRun, replayAll } from '../support/journaled-run.ts';

const seed = Number(process.env.EMEND_SEED ?? 20261202);
const CALLS = 500;

test(`a journal of ${CALLS} calls runs again with the same outcomes and the same contents in the end`, async () => {
  const run = await journaledRun(CALLS, seed);
  const { same, others, stray, restored, unexplained } = await replayAll(run);
  const refused = run.records.filter(({ ok }) => !ok).length;
  console.log(
    `seed ${seed}: ${run.records.length} calls, ${refused} of them refused: ${same} the same; ` +
      `before ${restored} what someone else had changed was restored`,
  );
  await run.room.close();
  expect({ others, stray, unexplained }).toEqual({ others: [], stray: [], unexplained: [] });
  expect(same).toBe(CALLS);
});
