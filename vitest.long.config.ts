import { defineConfig } from 'vitest/config';

/** What takes over 30 s: soaks, fuzzing, kill series. `EMEND_SEED` and `EMEND_MINUTES` widen them. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    testTimeout: 4 * 3_600_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    globalSetup: 'test/support/temp-folder.ts',
    disableConsoleIntercept: true,
  },
});
