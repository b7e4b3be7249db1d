import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seeded } from '../../support/encoded-files.ts';
import { ratesOf, tallyPatches, versionedFiles } from '../../support/package-patches.ts';

const installed = join(import.meta.dirname, '../../../node_modules');

test('patches between two versions of a package lead to the newer one or are refused, and most are made', async () => {
  const files = versionedFiles(join(installed, 'typescript-5/lib'), join(installed, 'typescript/lib'));
  expect(files.length).toBeGreaterThan(20);
  const tally = await tallyPatches(files, 150, seeded(20261202));
  const { undrifted, drifted, count } = ratesOf(tally);
  expect(tally.damaged).toEqual([]);
  expect(count).toBe(150);
  expect(undrifted).toBe(1);
  // Most of these hunks begin within a licence comment, where a misspelling is taken for another word.
  expect(drifted).toBeGreaterThanOrEqual(0.85);
});
