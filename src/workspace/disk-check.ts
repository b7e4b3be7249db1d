import { accessSync, constants, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { checkWritable, type Place, statFile } from './disk-commit.ts';
import { errnoOf } from './disk-errors.ts';
import { holdFolder } from './disk-folder.ts';
import { isMountPoint, mountPoint } from './disk-mounts.ts';
import { type ChangeKind, StoreError } from './document-store.ts';

/**
 * What would be said no to a change of the file at a real path, said before anything is written. A full disk shows only
 * when it is.
 * @throws StoreError naming `path`
 */
export async function checkChange(path: string, real: string, kind: ChangeKind): Promise<void> {
  if (kind === 'make') {
    checkFolder(path, dirname(real));
    return;
  }
  const folder = await holdFolder(dirname(real));
  try {
    const place: Place = { path, folder, name: basename(real) };
    const file = folder.at(place.name);
    const stat = statFile(place, file);
    if (!stat) return;
    if (kind === 'edit') {
      checkWritable(place, file, stat);
      return;
    }
    if (isMountPoint(real)) throw mountPoint(path);
    checkFolder(path, dirname(real));
  } finally {
    await folder.close();
  }
}

/** The folder, or of what is missing the nearest above, must be one and take new names. */
function checkFolder(path: string, folder: string): void {
  const stat = statFolder(folder);
  if (!stat) {
    checkFolder(path, dirname(folder));
    return;
  }
  if (!stat.isDirectory())
    throw new StoreError(
      'not_found',
      `${path}: ${folder} is a file, not a folder. Name another place, or move that file away first`,
    );
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error;
    throw new StoreError('denied', `${path}: the directory ${folder} is not writable`, error);
  }
}

function statFolder(folder: string): ReturnType<typeof statSync> {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    // A part of it further up is a file.
    if (errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
