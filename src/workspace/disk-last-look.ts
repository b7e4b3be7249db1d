import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { errnoOf } from './disk-errors.ts';

const LOOK_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** What is read at once, so that nothing of this process comes between the look and what follows it. */
const AT_ONCE_BYTES = 1024 * 1024;

/** The last look before a file is replaced or removed: whether what the change was planned on is still there. */
export async function holds(file: string, before: Uint8Array): Promise<boolean> {
  try {
    return before.length <= AT_ONCE_BYTES ? holdsNow(file, before) : await holdsLarge(file, before);
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

function holdsNow(file: string, before: Uint8Array): boolean {
  const descriptor = openSync(file, LOOK_FLAGS);
  try {
    if (fstatSync(descriptor).size !== before.length) return false;
    // One byte more than there should be shows a file that is growing.
    const bytes = Buffer.allocUnsafe(before.length + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    return bytes.subarray(0, length).equals(before);
  } finally {
    closeSync(descriptor);
  }
}

async function holdsLarge(file: string, before: Uint8Array): Promise<boolean> {
  const handle = await open(file, LOOK_FLAGS);
  try {
    return (await handle.stat()).size === before.length && Buffer.compare(await handle.readFile(), before) === 0;
  } finally {
    await handle.close();
  }
}
