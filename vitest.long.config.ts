import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What takes over 30 s: soaks, fuzzing, kill series. `EMEND_SEED` and `EMEND_MINUTES` widen them. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    testTimeout: 4 * 3_600_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    // What tests leave in the user's state folder is not the user's.
    env: { XDG_STATE_HOME: join(tmpdir(), 'emend-test-state') },
    disableConsoleIntercept: true,
  },
});
