import { unlink } from 'node:fs/promises';
import type { Place } from './disk-commit.ts';
import { errnoOf } from './disk-errors.ts';
import { holds } from './disk-last-look.ts';
import { mountPoint } from './disk-mounts.ts';

/** Removes a file that still has this content. `changed`: it has another, or is gone. @throws StoreError */
export async function removeFile(place: Place, before: Uint8Array): Promise<'written' | 'changed'> {
  const file = place.folder.at(place.name);
  if (!(await holds(file, before))) return 'changed';
  try {
    await unlink(file);
    return 'written';
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'changed';
    if (errnoOf(error) === 'EBUSY') throw mountPoint(place.path);
    throw error;
  }
}
