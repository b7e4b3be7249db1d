import { constants } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';
import { storeErrorOf } from './disk-errors.ts';
import { StoreError } from './document-store.ts';

/** Above this no file is held in memory whole. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Opening a pipe must not wait for its other end. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Whether a real path may be touched; asked again of what was really opened. */
export type AllowsPath = (realPath: string) => boolean;

/**
 * Runs `use` on a file that is open for reading.
 * @throws StoreError naming `path`, also for what `use` throws
 */
export async function withOpenFile<T>(
  path: string,
  allows: AllowsPath | undefined,
  use: (file: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, READ_FLAGS);
    const stat = await file.stat();
    if (stat.isDirectory()) throw new StoreError('is_directory', `${path} is a folder. Name a file in it`);
    if (!stat.isFile()) throw new StoreError('denied', `${path} is a device, a pipe or a socket, not a file`);
    if (allows) await checkOpened(path, file, allows);
    return await use(file, stat.size);
  } catch (error) {
    throw storeErrorOf(error, path);
  } finally {
    await file?.close();
  }
}

/** The whole content of an open file. @throws StoreError `too_large` */
export async function readWhole(path: string, file: FileHandle, size: number): Promise<Uint8Array> {
  if (size > MAX_FILE_BYTES) {
    throw new StoreError('too_large', `${path} has ${size} bytes; the most is ${MAX_FILE_BYTES}. Use Bash for it`);
  }
  return file.readFile();
}

/** A folder on the way may have been replaced by a link since the path was looked at. */
async function checkOpened(path: string, file: FileHandle, allows: AllowsPath): Promise<void> {
  // Without /proc the path has to be believed.
  const real = await readlink(`/proc/self/fd/${file.fd}`).catch(() => path);
  if (allows(real)) return;
  throw new StoreError(
    'denied',
    `${path} leads to ${real} now, which is outside. Something replaced a folder by a link`,
  );
}
