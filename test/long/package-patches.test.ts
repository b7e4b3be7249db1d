import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { seeded } from '../support/encoded-files.ts';
import { ratesOf, tallyPatches, versionedFiles } from '../support/package-patches.ts';

const seed = Number(process.env.EMEND_SEED ?? 20261202);
const COUNT = 2000;
const PACKAGES = {
  zod: ['4.1.0', '4.3.0'],
  commander: ['12.1.0', '14.0.3'],
  express: ['4.21.2', '5.1.0'],
  effect: ['3.18.0', '3.19.0'],
  'fast-check': ['3.23.2', '4.3.0'],
  diff: ['7.0.0', '8.0.2'],
} as const;

test(`${COUNT} patches between two published versions of packages: the newer version or a refusal, nothing else`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'emend-packages-'));
  const aliases = Object.entries(PACKAGES).flatMap(([name, [older, newer]]) => [
    `${name}-old@npm:${name}@${older}`,
    `${name}-new@npm:${name}@${newer}`,
  ]);
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev', '--no-package-lock'];
  await execa('npm', ['install', ...options, ...aliases], { cwd: folder });
  const installed = join(folder, 'node_modules');
  const files = Object.keys(PACKAGES).flatMap((name) =>
    versionedFiles(join(installed, `${name}-old`), join(installed, `${name}-new`)),
  );
  const tally = await tallyPatches(files, COUNT, seeded(seed));
  const { undrifted, drifted, count } = ratesOf(tally);
  console.table(tally.rows);
  console.log(
    `seed ${seed}: ${count} patches of ${files.length} files; undrifted ${(undrifted * 100).toFixed(1)} % applied, ` +
      `drifted ${(drifted * 100).toFixed(1)} %, damaged ${tally.damaged.length}`,
  );
  rmSync(folder, { recursive: true });
  expect(tally.damaged).toEqual([]);
  expect(count).toBe(COUNT);
  expect(undrifted).toBe(1);
  expect(drifted).toBeGreaterThanOrEqual(0.9);
});
