import { Readable } from 'node:stream';
import type { Run } from '../../src/workspace/run.ts';

/** A machine on which nothing can be started: no language server disturbs a test that is about bytes. */
export const noRun: Run = () => ({
  stdin: undefined,
  stdout: Readable.from([]),
  stderr: Readable.from([]),
  exit: Promise.resolve({ kind: 'not_started', reason: 'nothing starts here' }),
  kill: () => undefined,
});
