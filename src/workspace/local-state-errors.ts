import { accessSync, constants } from 'node:fs';
import { errnoOf } from './disk-errors.ts';
import { StoreError } from './document-store.ts';

const FULL = 'Free space on its disk';
const CAUSES: Readonly<Record<string, readonly [string, string]>> = {
  ENOSPC: ['its disk is full', FULL],
  EDQUOT: ['the disk quota is used up', FULL],
  EROFS: ['its file system is read-only', 'Mount it writable'],
  EACCES: ['this user may not write in it', 'Give this user the right to (chmod u+rwx)'],
  EPERM: ['this user may not write in it', 'Give this user the right to (chmod u+rwx)'],
  ENOTDIR: ['a file is where a folder should be', 'Move that file away'],
};

/**
 * A failure to keep something in the state folder, as a `StoreError` that names the folder, the one cause that it was,
 * and what to do. Begins with a small letter, so that it can follow what could not be done for want of it.
 */
export function stateErrorOf(error: unknown, folder: string): StoreError {
  if (error instanceof StoreError) return error;
  const errno = causeOf(error, folder);
  const known = errno === undefined ? undefined : CAUSES[errno];
  const why = known ? `${known[0]} (${errno})` : error instanceof Error ? error.message : String(error);
  const advice = known?.[1] ?? 'See to it';
  return new StoreError(
    'io',
    `the state folder ${folder} could not be written: ${why}. ` +
      `${advice}, or have the state kept elsewhere (XDG_STATE_HOME), then try again`,
    error,
  );
}

/** Folders that can't be made on a read-only disk are said to be missing: the folder itself is asked then. */
function causeOf(error: unknown, folder: string): string | undefined {
  const errno = errnoOf(error);
  if (errno !== 'ENOENT') return errno;
  try {
    accessSync(folder, constants.W_OK);
    return errno;
  } catch (denied) {
    return errnoOf(denied);
  }
}

/** Runs what writes in the state folder. @throws StoreError as `stateErrorOf` */
export async function keepingIn<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw stateErrorOf(error, folder);
  }
}
