import { readFile, writeFile } from 'node:fs/promises';
import { createLocalPathLocks } from '../../src/workspace/local-path-lock.ts';

/** Counts up in a file, each time under its lock; a negative count takes the lock, says so, and never lets it go. */
const [locksFolder = '', file = '', countText = ''] = process.argv.slice(2);
const locks = createLocalPathLocks(locksFolder);
const count = Number(countText);

for (let index = 0; index < count; index += 1) {
  await locks.withPathLocks([file], undefined, async () => {
    const value = Number(await readFile(file, 'utf8'));
    await writeFile(file, String(value + 1));
  });
}
if (count < 0) {
  await locks.withPathLocks([file], undefined, () => {
    process.send?.('locked');
    return new Promise(() => setInterval(() => undefined, 1000));
  });
}
process.disconnect?.();
