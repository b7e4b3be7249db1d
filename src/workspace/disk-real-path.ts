import { realpathSync, statSync } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf } from './disk-errors.ts';
import { type CaseMemory, type NameLook, spelledAsListed } from './path-case.ts';

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * A path with all links resolved, those that lead nowhere too; of what does not exist, the nearest existing folder
 * resolved and the rest as it is. Where a folder does not tell case apart, names are spelled as it lists them.
 */
export async function realPathOf(path: string, linksLeft: number = MAX_LINKS): Promise<string> {
  try {
    return await spelledAsListed(realpathSync.native(path), diskNames, caseMemory);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error;
  }
  const target = await danglingTarget(path);
  if (target !== undefined) {
    if (linksLeft === 0) throw Object.assign(new Error(`too many links: ${path}`), { code: 'ELOOP' });
    return realPathOf(resolve(await realPathOf(dirname(path), linksLeft - 1), target), linksLeft - 1);
  }
  const above = dirname(path);
  return above === path ? path : join(await realPathOf(above, linksLeft), basename(path));
}

async function danglingTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

const caseMemory: CaseMemory = new Map();

const diskNames: NameLook = {
  identity(path) {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat && `${stat.dev}:${stat.ino}`;
  },
  list: (folder) => readdir(folder),
};
