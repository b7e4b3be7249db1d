import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', 'test/fixtures/**', 'node_modules/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Real servers on a shared machine: one more try there, and none where people work on the tests.
    retry: process.env.CI ? 1 : 0,
    // What tests leave in the user's state folder is not the user's.
    env: { XDG_STATE_HOME: join(tmpdir(), 'emend-test-state') },
  },
});
