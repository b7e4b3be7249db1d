import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './document-store.ts';

/** A folder that stays the same folder while it is held, whatever is put in its place meanwhile. */
export interface HeldFolder {
  /** Absolute, as it was asked for. */
  readonly path: string;
  /** A path to an entry that does not go through any name above it. */
  at(name: string): string;
  close(): Promise<void>;
}

const HOLD_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;
/** Linux: needs no permission to list the folder. */
const O_PATH = 0o10000000;

/**
 * Holds a folder. On Linux its entries are then reached through the open folder itself, so no link that is put on the
 * way can lead a write elsewhere.
 * @throws StoreError `denied` where its path is not real (any more); the system's errors as they are
 */
export async function holdFolder(path: string): Promise<HeldFolder> {
  const byName = (name: string): string => join(path, name);
  if (process.platform !== 'linux') return { path, at: byName, close: async () => undefined };
  const descriptor = openSync(path, HOLD_FLAGS | O_PATH);
  const close = async (): Promise<void> => closeSync(descriptor);
  const own = `/proc/self/fd/${descriptor}`;
  const real = realOf(own);
  // Without /proc there is nothing to go through, and nothing to compare.
  if (real === undefined) return { path, at: byName, close };
  if (real === path) return { path, at: (name) => `${own}/${name}`, close };
  closeSync(descriptor);
  if (real === `${path} (deleted)`) throw Object.assign(new Error(`${path} was removed`), { code: 'ENOENT' });
  throw new StoreError('denied', `${path} leads to ${real} now. Something replaced a folder by a link: look again`);
}

function realOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    // No /proc is mounted here.
    return undefined;
  }
}
