import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dependencySources, driftedCase, pickDrifts } from '../bench/edit/make-cases.ts';
import { seeded } from '../bench/edit/random.ts';
import { scoreCase } from '../bench/edit/score.ts';
import { checkLaws, checkOnDisk, checkWrite, EDIT, TWO_TEXTS } from '../support/edit-laws.ts';
import { openToolRoom } from '../support/tool-room.ts';

const seed = Number(process.env.EMEND_SEED ?? 1);
const minutes = Number(process.env.EMEND_MINUTES ?? 30);

describe('the laws of an edit', () => {
  test('hold for 10,000 edits', () => {
    fc.assert(fc.property(EDIT, checkLaws), { numRuns: 10_000, seed });
  });
  test('hold for 10,000 writes', () => {
    fc.assert(fc.property(TWO_TEXTS, checkWrite), { numRuns: 10_000, seed });
  });
  test('hold for 10,000 edits on the disk', { timeout: 3_600_000 }, async () => {
    const room = await openToolRoom();
    onTestFinished(() => room.close());
    const check = fc.asyncProperty(EDIT, async (edit) => {
      await checkOnDisk(room, edit);
    });
    await fc.assert(check, { numRuns: 10_000, seed });
  });
});

test('two to four drifts at once on real files never make a wrong edit, but where old_string stands elsewhere as it is', () => {
  const random = seeded(`fuzz ${seed}`);
  const sources = dependencySources(join(import.meta.dirname, '../..'));
  const wrong: unknown[] = [];
  const count = { right: 0, refused: 0, damaged: 0, twins: 0 };
  for (const end = Date.now() + minutes * 60_000; Date.now() < end; ) {
    const source = random.pick(sources);
    const made = source && driftedCase(random, source, pickDrifts(random, random.int(2, 4)));
    if (!made) continue;
    const { verdict, result } = scoreCase({ ...made, id: 'fuzz' });
    checkLaws({
      text: made.before,
      oldString: made.old_string,
      newString: made.new_string,
      replaceAll: false,
      path: made.path,
    });
    const isTwin =
      verdict === 'damaged' && result.status === 'applied' && ['exact', 'line-endings'].includes(result.matchedVia);
    count[isTwin ? 'twins' : verdict] += 1;
    if (verdict === 'damaged' && !isTwin)
      wrong.push({ class: made.class, path: made.path, old: made.old_string, now: made.new_string });
  }
  console.log(JSON.stringify(count));
  expect(wrong.slice(0, 3)).toEqual([]);
});
