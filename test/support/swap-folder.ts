import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Swaps a folder for a link to another and back, as fast as it can, until it is killed. */
const [root = '', outside = ''] = process.argv.slice(2);
process.send?.('ready');
for (;;) {
  renameSync(join(root, 'd'), join(root, 'aside'));
  symlinkSync(outside, join(root, 'd'));
  unlinkSync(join(root, 'd'));
  renameSync(join(root, 'aside'), join(root, 'd'));
}
