import { mkdtemp, open, readFile, realpath, rename, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recoveringLocks } from '../../src/broker/transaction/recovering-locks.ts';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import { openKeptState } from '../../src/workspace/local-kept-state.ts';
import { createLocalPathLocks } from '../../src/workspace/local-path-lock.ts';
import { type BenchRow, elapsed, ratioRow, sideBySide } from './bench-row.ts';

const ROUNDS = 300;
const SIZES = [4 * 1024, 200 * 1024];

/** What a commit costs beside the bare calls that do the same, and beside the fewest that could. */
export async function benchCommit(): Promise<readonly BenchRow[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bench-commit-')));
  try {
    const rows: BenchRow[] = [];
    for (const size of SIZES) rows.push(...(await benchSize(folder, size)));
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function benchSize(folder: string, size: number): Promise<readonly BenchRow[]> {
  const store = createDiskStore();
  // As every change takes them: whether another process left one half done is asked each time.
  const locks = recoveringLocks({
    root: folder,
    store,
    locks: createLocalPathLocks(join(folder, 'locks')),
    kept: openKeptState(join(folder, 'state')),
  });
  const [own, other, least] = ['own', 'other', 'least'].map((name) => join(folder, `${name}-${size}`));
  if (!own || !other || !least) throw new TypeError('three files');
  const texts = [Buffer.alloc(size, 'a'), Buffer.alloc(size, 'b')];
  for (const path of [own, other, least]) await writeFile(path, texts[0] ?? '');
  await locks.withPathLocks([own], undefined, async () => undefined);
  await store.write(own, {
    base: { kind: 'file', bytes: texts[0] ?? Buffer.alloc(0) },
    bytes: texts[0] ?? Buffer.alloc(0),
    edits: [],
  });

  let turn = 0;
  const next = (): { readonly before: Buffer; readonly after: Buffer } => {
    const [before, after] = turn % 2 === 0 ? texts : texts.toReversed();
    turn += 1;
    if (!before || !after) throw new TypeError('two texts');
    return { before, after };
  };
  const commit = (change: ReturnType<typeof next>): Promise<unknown> =>
    locks.withPathLocks([own], undefined, () =>
      store.write(own, { base: { kind: 'file', bytes: change.before }, bytes: change.after, edits: [] }),
    );
  const rounds = ROUNDS + (ROUNDS % 2);
  let change = next();
  const same = await sideBySide(
    rounds,
    async () => {
      change = next();
      return elapsed(() => commit(change));
    },
    () => elapsed(() => bareSame(other, join(folder, 'bare-lock'), change)),
  );
  const fewest = await sideBySide(
    rounds,
    async () => {
      change = next();
      return elapsed(() => commit(change));
    },
    () => elapsed(() => bareFewest(least, change.after)),
  );
  const inputs = `${size / 1024} KB, ${rounds} rounds`;
  return [
    ratioRow({ figure: 'commit, beside the bare calls that do the same', inputs, ...same, most: 1.2 }),
    ratioRow({ figure: 'commit, beside write + fsync + rename', inputs, ...fewest, most: 3 }),
  ];
}

/** Lock, stat, last read, write, chmod, fsync, rename, unlock. */
async function bareSame(path: string, lock: string, change: { readonly after: Buffer }): Promise<void> {
  await symlink('holder', lock);
  try {
    const { mode } = await stat(path);
    const last = await readFile(path);
    if (last.length !== change.after.length) throw new Error('changed');
    const temp = await open(`${path}.tmp`, 'wx', 0o600);
    try {
      await temp.writeFile(change.after);
      await temp.chmod(mode & 0o7777);
      await temp.sync();
    } finally {
      await temp.close();
    }
    await rename(`${path}.tmp`, path);
  } finally {
    await unlink(lock);
  }
}

async function bareFewest(path: string, bytes: Buffer): Promise<void> {
  const temp = await open(`${path}.tmp`, 'wx', 0o600);
  try {
    await temp.writeFile(bytes);
    await temp.sync();
  } finally {
    await temp.close();
  }
  await rename(`${path}.tmp`, path);
}
