import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import type { HeldBytes } from '../support/edit-heap.ts';

const CHILD = join(import.meta.dirname, '../support/edit-heap.ts');
/** A receipt, and an insertion that might come again: no text of a file. */
const MOST_AN_EDIT = 6_000;
/** Of a file that a session knows, the hashes of its 400 lines. */
const MOST_A_FILE = 400 * 4 + 500;

// https://github.com/anomalyco/opencode/issues/47604
test.each([1, 1_000])(
  'of 1,000 edits on %d files nothing is kept but what a session must know of them',
  { timeout: 900_000 },
  async (files) => {
    const { stdout } = await execa(process.execPath, ['--expose-gc', '--import', 'tsx', CHILD, String(files)]);
    const [early, , late] = JSON.parse(stdout) as readonly HeldBytes[];
    if (!early || !late) throw new Error(`the child said ${stdout}`);
    console.log(`${files} files: ${stdout}`);
    expect(late.heap - early.heap).toBeLessThan(800 * MOST_AN_EDIT);
    expect(late.buffers - early.buffers).toBeLessThanOrEqual(files === 1 ? 64_000 : 800 * MOST_A_FILE);
  },
);
