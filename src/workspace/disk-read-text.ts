import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errnoOf } from './disk-errors.ts';

/** What a file that others may have put there turned out to hold. */
type OrdinaryText =
  | { readonly status: 'text'; readonly text: string }
  | { readonly status: 'absent' }
  /** `why` follows the file's name: `is a folder`. */
  | { readonly status: 'unfit'; readonly why: string };

/**
 * The text of an ordinary file of at most `maxBytes`. A link may lead anywhere: to a device without an end, or to a pipe
 * that nobody writes to; those are not read.
 */
export async function readOrdinaryText(path: string, maxBytes: number): Promise<OrdinaryText> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return { status: 'unfit', why: stat.isDirectory() ? 'is a folder' : 'is no ordinary file' };
      if (stat.size > maxBytes) return { status: 'unfit', why: `has ${stat.size} bytes, more than ${maxBytes}` };
      // One more than there should be shows a file that says less of its size than it has.
      const bytes = Buffer.alloc(stat.size + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < bytes.length; length += read) {
        read = (await file.read(bytes, length, bytes.length - length, length)).bytesRead;
      }
      if (length > stat.size) return { status: 'unfit', why: 'grows while it is read' };
      return { status: 'text', text: bytes.toString('utf8', 0, length) };
    } finally {
      await file.close();
    }
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return { status: 'absent' };
    return { status: 'unfit', why: `can't be read (${errno ?? String(error)})` };
  }
}
