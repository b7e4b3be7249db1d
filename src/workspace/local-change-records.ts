import { readdirSync } from 'node:fs';
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeRecords, PendingRecord } from './kept-state.ts';
import { ownProcess, processState } from './local-process-identity.ts';
import { writeWhole } from './local-write-whole.ts';

const PENDING = /^([0-9a-f]+\.\d+\.[0-9a-z]+)-(e\d+)\.json$/;
const DONE = /^e\d+$/;
const MAX_DONE = 4000;
const KEEPS_BETWEEN_LOOKS = 500;

/**
 * The records of changes, a file each: of one that is begun under the name of its process, so that another can tell
 * whether it was left; of one that is done under its receipt. `owner` is this process.
 */
export function createLocalChangeRecords(folder: string, owner: string = ownProcess): ChangeRecords {
  const pendingFolder = join(folder, 'begun');
  const doneFolder = join(folder, 'done');
  let keeps = 0;
  const doneFile = (receipt: string): string => join(doneFolder, `${receipt}.json`);
  const pendingRecord = (file: string, receipt: string): PendingRecord => ({
    async finish() {
      await mkdir(doneFolder, { recursive: true, mode: 0o700 });
      await rename(file, doneFile(receipt));
    },
    drop: () => unlink(file),
  });

  return {
    async begin(receipt, text) {
      const file = join(pendingFolder, `${owner}-${receipt}.json`);
      // On a disk that is full afterwards there would be no place for the record of what was done.
      await mkdir(doneFolder, { recursive: true, mode: 0o700 });
      await writeWhole(file, text, 'durable');
      await syncFolder(pendingFolder);
      return pendingRecord(file, receipt);
    },
    async keep(receipt, text) {
      await writeWhole(doneFile(receipt), text, 'plain');
      keeps += 1;
      if (keeps % KEEPS_BETWEEN_LOOKS === 0) await prune(doneFolder);
    },
    find: async (receipt) => (DONE.test(receipt) ? readIfThere(doneFile(receipt)) : undefined),
    async interrupted() {
      const found: (PendingRecord & { text: string })[] = [];
      for (const name of namesIn(pendingFolder)) {
        const [, process, receipt] = PENDING.exec(name) ?? [];
        if (process === undefined || receipt === undefined || processState(process) !== 'dead') continue;
        const file = join(pendingFolder, name);
        const text = await readIfThere(file);
        if (text !== undefined) found.push({ text, ...pendingRecord(file, receipt) });
      }
      return found;
    },
  };
}

/** So that a name that was just given outlives a failure of power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Read at once: every change asks whether something was left half done, and there hardly ever is. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function prune(folder: string): Promise<void> {
  const files = await Promise.all(
    namesIn(folder).map(async (name) => {
      const file = join(folder, name);
      // Another process may have taken it away.
      const found = await stat(file).catch(() => undefined);
      return { file, mtimeMs: found?.mtimeMs ?? 0 };
    }),
  );
  const tooMany = files.sort((a, b) => a.mtimeMs - b.mtimeMs).slice(0, Math.max(0, files.length - MAX_DONE));
  for (const { file } of tooMany) await unlink(file).catch(() => undefined);
}
