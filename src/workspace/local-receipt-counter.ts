import { mkdirSync, readdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Gives each receipt of a root an id of its own. */
interface ReceiptCounter {
  /** `e1`, `e2`, …: greater than any given before, by whichever process. */
  next(): Promise<string>;
}

/** The state folder can't take an entry. */
const UNCOUNTABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);
const NAME = /^e(\d+)$/;

/**
 * Counts in a root's state folder. The highest number given is an entry there; the next is claimed by making its entry,
 * which only one process can, and only then the one before is removed. So the highest never gets less, and a claim that
 * comes too late sees a higher one and tries again.
 */
export function openReceiptCounter(stateFolder: string): ReceiptCounter {
  const folder = join(stateFolder, 'receipts');
  let last: number | undefined;

  const claim = (): string => {
    for (let number = last ?? highestIn(folder); ; number = Math.max(number, highestIn(folder))) {
      number += 1;
      if (!make(folder, number)) continue;
      const isHighest = highestIn(folder) === number;
      remove(folder, isHighest ? number - 1 : number);
      if (!isHighest) continue;
      last = number;
      return `e${number}`;
    }
  };

  return {
    async next() {
      try {
        return claim();
      } catch (error) {
        if (!UNCOUNTABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        // The disk of the state folder is full or read-only: the time in ms is a number that no one else has given.
        last = Math.max((last ?? 0) + 1, Date.now());
        return `e${last}`;
      }
    },
  };
}

function highestIn(folder: string): number {
  try {
    return Math.max(0, ...readdirSync(folder).map((name) => Number(NAME.exec(name)?.[1] ?? 0)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

function make(folder: string, number: number): boolean {
  try {
    symlinkSync('receipt', join(folder, `e${number}`));
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return make(folder, number);
  }
}

function remove(folder: string, number: number): void {
  try {
    unlinkSync(join(folder, `e${number}`));
  } catch (error) {
    // The first has none before it, and another process may have removed it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
