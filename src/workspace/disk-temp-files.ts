import { randomBytes } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeldFolder } from './disk-folder.ts';
import { ownProcess, processState } from './local-process-identity.ts';

const TEMP_NAME = /^\.emend-([0-9a-f]+\.\d+\.[0-9a-z]+)-[0-9a-f]+\.tmp$/;

/** A name for a file that is to be renamed at once; it says whose it is. */
export function tempName(): string {
  return `.emend-${ownProcess}-${randomBytes(6).toString('hex')}.tmp`;
}

const swept = new Set<string>();
const watchers = new Set<(path: string) => void>();

/** Calls `watcher` with each file that was left by a dead process and is removed; what is returned ends that. */
export function watchSweeps(watcher: (path: string) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The next sweep of this folder looks again. */
export function forgetSwept(path: string): void {
  swept.delete(path);
}

/** Removes what processes that died left in a folder; looks once in each folder. Files of the living are left alone. */
export async function sweepTempFiles(folder: HeldFolder): Promise<void> {
  if (swept.has(folder.path)) return;
  swept.add(folder.path);
  try {
    for (const name of await readdir(folder.at('.'))) {
      const owner = TEMP_NAME.exec(name)?.[1];
      if (owner === undefined || processState(owner) !== 'dead') continue;
      await unlink(folder.at(name));
      for (const watcher of watchers) watcher(join(folder.path, name));
    }
  } catch {
    // A folder that can't be listed keeps what it has; the write itself is not concerned.
  }
}
