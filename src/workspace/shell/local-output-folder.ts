import { realpathSync } from 'node:fs';
import { rootStateFolder } from '../local-state-folder.ts';

/**
 * Where the outputs of a root's commands are kept: outside of the root, for this user alone, readable by Read and Grep.
 * Links resolved.
 */
export function outputFolder(root: string): string {
  return realpathSync(rootStateFolder(root, 'output'));
}
