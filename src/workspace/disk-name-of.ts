import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** More are not looked at for it. */
const MAX_FILES = 200_000;

/** A path below a folder at which a file stands, by its device and number; links are not followed. */
export async function nameOfInode(inode: string, folder: string): Promise<string | undefined> {
  const folders = [folder];
  let left = MAX_FILES;
  for (let at = folders.pop(); at !== undefined && left > 0; at = folders.pop()) {
    // One that can't be listed, or is gone, has no name to give.
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      left -= 1;
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat && `${stat.dev}:${stat.ino}` === inode) return path;
    }
  }
  return undefined;
}
