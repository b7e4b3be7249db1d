import { lstatSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from './disk-errors.ts';
import { StoreError } from './document-store.ts';

/**
 * Makes a folder and those above it that are missing, for a new file, and gives the ones that were made, outermost
 * first.
 * @throws StoreError naming the file that was asked for and the folder that is in the way
 */
export async function makeFolders(folder: string, file: string): Promise<readonly string[]> {
  try {
    await mkdir(folder);
    return [folder];
  } catch (error) {
    switch (errnoOf(error)) {
      case 'EEXIST':
        return [];
      case 'ENOENT':
        break;
      case 'ENOTDIR':
        throw new StoreError(
          'not_found',
          `${file}: ${existingAbove(folder)} is a file, not a folder. Name another place, or move that file away first`,
          error,
        );
      case 'EACCES':
      case 'EPERM':
        throw new StoreError('denied', `${file}: the directory ${dirname(folder)} is not writable`, error);
      default:
        throw error;
    }
  }
  const above = await makeFolders(dirname(folder), file);
  try {
    await mkdir(folder);
  } catch (error) {
    await removeFolders(above);
    throw error;
  }
  return [...above, folder];
}

/** What a path goes through that is there, the longest. */
function existingAbove(folder: string): string {
  const above = dirname(folder);
  try {
    lstatSync(above);
    return above;
  } catch {
    return existingAbove(above);
  }
}

/** Takes folders away again; one that someone has put something in meanwhile stays. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) await rmdir(folder).catch(() => undefined);
}
