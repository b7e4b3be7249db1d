import { mkdir, readdir, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Gives each receipt of a root an id of its own. */
export interface ReceiptCounter {
  /** `e1`, `e2`, …: greater than any given before, by whichever process. */
  next(): Promise<string>;
}

const NAME = /^e(\d+)$/;

/**
 * Counts in a root's state folder. The highest number given is an entry there; the next is claimed by making its entry,
 * which only one process can, and only then the one before is removed. So the highest never gets less, and a claim that
 * comes too late sees a higher one and tries again.
 */
export function openReceiptCounter(stateFolder: string): ReceiptCounter {
  const folder = join(stateFolder, 'receipts');
  let last: number | undefined;

  const claim = async (): Promise<string> => {
    for (let number = last ?? (await highestIn(folder)); ; number = Math.max(number, await highestIn(folder))) {
      number += 1;
      if (!(await make(folder, number))) continue;
      const isHighest = (await highestIn(folder)) === number;
      await remove(folder, isHighest ? number - 1 : number);
      if (!isHighest) continue;
      last = number;
      return `e${number}`;
    }
  };

  let turn: Promise<unknown> = Promise.resolve();
  return {
    next() {
      const claimed = turn.then(claim);
      // Whoever asked hears of a failure; the next in turn tries for itself.
      turn = claimed.catch(() => undefined);
      return claimed;
    },
  };
}

async function highestIn(folder: string): Promise<number> {
  try {
    return Math.max(0, ...(await readdir(folder)).map((name) => Number(NAME.exec(name)?.[1] ?? 0)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

async function make(folder: string, number: number): Promise<boolean> {
  try {
    await symlink('receipt', join(folder, `e${number}`));
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT') throw error;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return make(folder, number);
  }
}

async function remove(folder: string, number: number): Promise<void> {
  try {
    await unlink(join(folder, `e${number}`));
  } catch (error) {
    // The first has none before it, and another process may have removed it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
