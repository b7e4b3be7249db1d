import { createDiskStore } from '../../src/workspace/disk-store.ts';
import { createLocalPathLocks } from '../../src/workspace/local-path-lock.ts';
import { killedText } from './killed-text.ts';

/** Writes a file of numbered lines, raising every number by one at a time, until it is killed. */
const [path = '', from = '0'] = process.argv.slice(2);
const store = createDiskStore();
const locks = createLocalPathLocks();
for (let turn = Number(from); ; turn += 1) {
  const base = { kind: 'file', bytes: Buffer.from(killedText(turn)) } as const;
  const bytes = Buffer.from(killedText(turn + 1));
  const outcome = await locks.withPathLocks([path], undefined, () => store.write(path, { base, bytes, edits: [] }));
  if (turn === Number(from) + 9) process.send?.('ready');
  if (outcome.status !== 'written') throw new Error(`turn ${turn}: ${JSON.stringify(outcome)}`);
}
