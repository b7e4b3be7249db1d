import { delimiter } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { withAbsolutePath } from '../../src/hosts/with-environment.ts';
import type { Run } from '../../src/workspace/run.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['relative folders go', ['.', '/usr/bin', 'node_modules/.bin', '', '/bin'], ['/usr/bin', '/bin']],
  ['others stay as they are', ['/usr/bin', '/bin'], undefined],
])('PATH of what servers start: %s', (_what, folders, left) => {
  vi.stubEnv('PATH', folders.join(delimiter));
  let given: string | undefined;
  const run: Run = (_argv, { env }) => {
    given = env?.PATH;
    throw new Error('not run');
  };
  expect(() => withAbsolutePath(run)(['x'], { cwd: '/', stdin: 'none' })).toThrow('not run');
  expect(given).toBe(left?.join(delimiter));
});
