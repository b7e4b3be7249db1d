import { homedir } from 'node:os';
import { dirname } from 'node:path';

/** Whether a folder is `/`, a home folder, or one that holds home folders: too much to search by default. */
export function isWideFolder(folder: string): boolean {
  const home = homedir();
  return folder === dirname(folder) || folder === home || folder === dirname(home);
}
