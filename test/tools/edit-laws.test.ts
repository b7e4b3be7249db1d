import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { checkOnDisk, EDIT } from '../support/edit-laws.ts';
import { openToolRoom } from '../support/tool-room.ts';

test('on the disk a refusal changes nothing and Undo gives back the very bytes, on a slice of the runs', async () => {
  const room = await openToolRoom();
  onTestFinished(() => room.close());
  const count = { refused: 0, landed: 0 };
  const check = fc.asyncProperty(EDIT, async (edit) => {
    count[await checkOnDisk(room, edit)] += 1;
  });
  await fc.assert(check, { numRuns: 40, seed: 20261202 });
  expect(Math.min(count.refused, count.landed)).toBeGreaterThan(5);
}, 60_000);
