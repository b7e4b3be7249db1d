import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** The tests of tools reach their files through an executor: test/support/far.ts. */
const isThrough = process.env.EMEND_TEST_THROUGH !== undefined;
const hasBubblewrap = existsSync('/usr/bin/bwrap') && existsSync('/bin/busybox');

/** Of the tests of tools, those that are fast also where each look is a command in another root. */
const SLICE = ['paths', 'deny-list', 'nul-character', 'text-fidelity', 'staleness'];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Real servers on a shared machine: one more try there, and none where people work on the tests.
    retry: process.env.CI ? 1 : 0,
    globalSetup: 'test/support/temp-folder.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'emend',
          include: ['test/**/*.test.ts'],
          // Behind an executor without language servers nobody can be asked about symbols.
          exclude: [
            'test/long/**',
            'test/fixtures/**',
            'node_modules/**',
            ...(isThrough ? ['test/tools/navigation/**'] : []),
          ],
        },
      },
      ...(hasBubblewrap && !isThrough
        ? [
            {
              extends: true as const,
              test: {
                name: 'through busybox',
                include: SLICE.map((name) => `test/tools/${name}.test.ts`),
                env: { EMEND_TEST_THROUGH: 'busybox' },
              },
            },
          ]
        : []),
    ],
  },
});
