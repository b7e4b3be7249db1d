import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A private folder of temporary files. */
export interface Scratch {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Puts files into a new folder that only this user can read. The names are paths from that folder. */
export type CreateScratch = (files: ReadonlyMap<string, string | Uint8Array>) => Promise<Scratch>;

/** In the temporary folder of this machine. */
export const createScratch: CreateScratch = async (files) => {
  const folder = await mkdtemp(join(tmpdir(), 'emend-search-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    for (const [name, content] of files) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { mode: 0o600 });
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder, remove };
};
