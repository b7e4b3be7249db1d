import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Gives each receipt of a root an id of its own. */
interface ReceiptCounter {
  /** `e1`, `e2`, …: greater than any given before, by whichever process. */
  next(): Promise<string>;
}

/** The state folder can't take an entry. */
const UNCOUNTABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);
/** Another process was first. */
const BEGUN = new Set(['ENOTEMPTY', 'EEXIST']);
const NAME = /^e(\d+)$/;
/** So often others may be faster; what else lies in the folder than an entry ends it too. */
const MAX_TRIES = 1000;
/** Of a number that is not counted. */
const PARTS = 1000;

/**
 * Counts in a root's state folder. The highest number given is the name of the one entry there; the next is claimed by
 * giving the entry its name, which of several processes only one can. Every call pays for it, so it is one call of the
 * system, and one that makes no file: that may take longer than all the rest.
 */
export function openReceiptCounter(stateFolder: string): ReceiptCounter {
  const folder = join(stateFolder, 'receipts');
  let last: number | undefined;

  const claim = (): string => {
    for (let tries = 0, at = last; tries < MAX_TRIES; tries++, at = undefined) {
      at ??= highestIn(folder);
      if (at === undefined) {
        begin(stateFolder, folder);
        continue;
      }
      const next = Math.max(at, last ?? 0) + 1;
      if (!rename(join(folder, `e${at}`), join(folder, `e${next}`))) continue;
      last = next;
      return `e${next}`;
    }
    throw Object.assign(new Error(`${folder} holds something else than a count`), { code: 'ENOTDIR' });
  };

  return {
    async next() {
      try {
        return claim();
      } catch (error) {
        if (!UNCOUNTABLE.has(codeOf(error))) throw error;
        // The disk of the state folder is full or read-only: the time, and a part that other processes have otherwise.
        last = Math.max((last ?? 0) + PARTS, Date.now() * PARTS + (process.pid % PARTS));
        return `e${last}`;
      }
    },
  };
}

function highestIn(folder: string): number | undefined {
  try {
    const numbers = readdirSync(folder).flatMap((name) => Number(NAME.exec(name)?.[1] ?? []));
    const highest = numbers.length === 0 ? undefined : Math.max(...numbers);
    // Only one counts: another that was left would be taken for it some day.
    for (const other of numbers) if (other !== highest) rmSync(join(folder, `e${other}`), { force: true });
    return highest;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Brings the folder with its first entry at once: a folder that was empty for a moment could begin twice. */
function begin(stateFolder: string, folder: string): void {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  let made = folder;
  try {
    made = mkdtempSync(`${folder}-`);
    writeFileSync(join(made, 'e0'), '');
    renameSync(made, folder);
  } catch (error) {
    if (made !== folder) rmSync(made, { recursive: true, force: true });
    // Where the folder around it has just gone too, it is begun again.
    if (!BEGUN.has(codeOf(error)) && codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Whether the entry had its old name still. */
function rename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
