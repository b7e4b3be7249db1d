import { type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { errnoOf, storeErrorOf } from './disk-errors.ts';
import type { StoredStat } from './document-store.ts';

/** What stands at a path, following links; others have their turn meanwhile, so it is for many files. */
export async function statFile(path: string): Promise<StoredStat | undefined> {
  try {
    return storedStatOf(await stat(path));
  } catch (error) {
    return absentOr(error, path);
  }
}

/** The same at once: a look takes microseconds, and to hand it to another thread and back ten times as long. */
export function statFileNow(path: string): StoredStat | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && storedStatOf(found);
  } catch (error) {
    return absentOr(error, path);
  }
}

function storedStatOf(found: Stats): StoredStat {
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
  const { uid, gid, dev, ino, nlink, size, mtimeMs, ctimeMs } = found;
  const identity = { owner: { uid, gid }, inode: `${dev}:${ino}`, links: nlink };
  return { kind, size, mtimeMs, ctimeMs, mode: found.mode & 0o7777, ...identity };
}

/** @throws StoreError for every error but that there is nothing */
function absentOr(error: unknown, path: string): undefined {
  if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
  throw storeErrorOf(error, path);
}
