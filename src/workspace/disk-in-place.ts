import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errnoOf, storeErrorOf } from './disk-errors.ts';
import { StoreError } from './document-store.ts';
import { interruptedWrites, saveBytes } from './local-saved-bytes.ts';

/** A file whose inode must stay: linked, bound, owned by another, or with attributes. */
interface InPlaceChange {
  /** As it was asked for. */
  readonly path: string;
  /** How it is reached. */
  readonly file: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

const WRITE_FLAGS = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Overwrites a file where it lies. Both contents are saved first; when the write fails the old one is put back, and
 * when the process dies the next one puts it back. `changed`: it no longer has the content before.
 * @throws StoreError
 */
export async function writeInPlace(change: InPlaceChange): Promise<'written' | 'changed'> {
  const { path, before, after } = change;
  let file: FileHandle | undefined;
  try {
    file = await open(change.file, WRITE_FLAGS);
    const saved = await saveBytes(path, before, after);
    const mode = (await file.stat()).mode & 0o7777;
    if (!(await readFromStart(file)).equals(before)) {
      await saved.discard();
      return 'changed';
    }
    try {
      await overwrite(file, before.length, after);
    } catch (error) {
      await putBack(file, before, path, saved.file, error);
      await saved.discard();
      throw error;
    }
    // A write takes the set-user-id bit away.
    if (((await file.stat()).mode & 0o7777) !== mode) await file.chmod(mode);
    await saved.discard();
    // Success is said of what is seen.
    if (!(await readFromStart(file)).equals(after)) {
      throw new StoreError('io', `${path} was written, and changed by another program at once. Read it again`);
    }
    return 'written';
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'changed';
    throw storeErrorOf(error, path);
  } finally {
    await file?.close();
  }
}

/** What does not fit is found out at the end of the file, before the first old byte is gone. */
async function overwrite(file: FileHandle, oldLength: number, after: Uint8Array): Promise<void> {
  if (after.length > oldLength) await writeAll(file, after.subarray(oldLength), oldLength);
  await writeAll(file, after.subarray(0, oldLength), 0);
  if (after.length < oldLength) await file.truncate(after.length);
  await file.sync();
}

async function putBack(
  file: FileHandle,
  before: Uint8Array,
  path: string,
  saved: string,
  cause: unknown,
): Promise<void> {
  try {
    await writeAll(file, before, 0);
    await file.truncate(before.length);
    await file.sync();
  } catch {
    throw new StoreError(
      'io',
      `${path} could be written only in part, nor put back. Its old content is in ${saved}`,
      cause,
    );
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

async function readFromStart(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/**
 * Puts back what writes in place left half done when their process died. A file is touched only where it is exactly
 * such a mixture: each byte is the old or the new one of its place.
 */
export async function undoInterruptedWrites(): Promise<void> {
  for (const write of await interruptedWrites()) {
    try {
      const file = await open(write.path, WRITE_FLAGS);
      try {
        const now = await readFromStart(file);
        if (isMixture(now, write.before, write.after)) {
          await writeAll(file, write.before, 0);
          await file.truncate(write.before.length);
          await file.sync();
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      // Gone, or not ours to write any more: the saved bytes stay for a person to look at.
      if (errnoOf(error) !== 'ENOENT') continue;
    }
    await write.discard();
  }
}

function isMixture(now: Uint8Array, before: Uint8Array, after: Uint8Array): boolean {
  if (now.length < Math.min(before.length, after.length) || now.length > Math.max(before.length, after.length))
    return false;
  const isEither = Buffer.compare(now, before) === 0 || Buffer.compare(now, after) === 0;
  return !isEither && now.every((byte, index) => byte === before[index] || byte === after[index]);
}
