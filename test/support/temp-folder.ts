import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of tests a temp and a state folder of its own, which go with it: what tests leave is nobody's. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'emend-'));
  // As the one of the machine, for tests that act as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.env.XDG_STATE_HOME = join(folder, 'state');
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
