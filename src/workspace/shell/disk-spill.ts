import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that takes an output, up to a cap. */
export interface Spill {
  readonly path: string;
  /** Bytes that the file holds. */
  readonly kept: number;
  /** Why it holds less than was written to it: the cap, or a disk that is full. */
  readonly limit: string | undefined;
  /** Resolves when there is room for more in memory. Never rejects. */
  write(chunk: Buffer): Promise<void>;
  /** Writes what is still due, then `ending`, whatever the cap, and closes the file. */
  close(ending: Buffer): Promise<void>;
}

interface SpillLimits {
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of all files of a folder: the oldest go first. */
  readonly folderBytes: number;
  /** Milliseconds that a file is kept. */
  readonly ageMs: number;
}

/** What holds where nobody says otherwise. */
export const SPILL_LIMITS: SpillLimits = {
  fileBytes: 64 * 1024 * 1024,
  folderBytes: 512 * 1024 * 1024,
  ageMs: 3 * 24 * 3600 * 1000,
};

/** Begins a file in a folder, and sweeps what is too old or too much in there. `undefined` where none can be made. */
export async function openSpill(folder: string, name: string, limits = SPILL_LIMITS): Promise<Spill | undefined> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await sweep(folder, limits);
    const path = join(folder, name);
    return createSpill(path, await open(path, 'wx', 0o600), limits);
  } catch {
    // No place for it: the answer then has no path, and says what was left out all the same.
    return undefined;
  }
}

function createSpill(path: string, file: FileHandle, { fileBytes }: SpillLimits): Spill {
  let kept = 0;
  let limit: string | undefined;
  let due: Promise<void> = Promise.resolve();
  const append = async (bytes: Buffer): Promise<void> => {
    try {
      await file.writeFile(bytes);
      kept += bytes.length;
    } catch (error) {
      limit = error instanceof Error && 'code' in error && error.code === 'ENOSPC' ? 'the disk is full' : 'it failed';
    }
  };
  return {
    path,
    get kept() {
      return kept;
    },
    get limit() {
      return limit;
    },
    write(chunk) {
      due = due.then(async () => {
        if (limit !== undefined) return;
        const room = fileBytes - kept;
        if (room > 0) await append(chunk.subarray(0, room));
        if (chunk.length > room) limit ??= 'the cap of a file';
      });
      return due;
    },
    async close(ending) {
      await due;
      if (ending.length > 0) await append(ending);
      await file.close();
    },
  };
}

async function sweep(folder: string, { folderBytes, ageMs }: SpillLimits): Promise<void> {
  const files: { path: string; size: number; mtimeMs: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    try {
      const { size, mtimeMs } = await stat(path);
      files.push({ path, size, mtimeMs });
    } catch {
      // Another emend swept it.
    }
  }
  let total = files.reduce((sum, file) => sum + file.size, 0);
  for (const file of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= folderBytes && Date.now() - file.mtimeMs <= ageMs) break;
    await rm(file.path, { force: true });
    total -= file.size;
  }
}
