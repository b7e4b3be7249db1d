import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** A text of a call, as far as it is kept and read. */
interface KeptText {
  readonly text: string;
  /** Of the whole. */
  readonly bytes: number;
}

/** A link could lead anywhere, and a pipe would keep its reader waiting. */
const FILE_ALONE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** Longer ones are read to here. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads a text that a journal names by its hash, or its beginning; `undefined` where it is not kept any more or is not
 * what its name says.
 */
export async function readCallText(blobs: string, hash: string): Promise<KeptText | undefined> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
  try {
    const handle = await open(join(blobs, hash.slice(0, 2), hash.slice(2)), FILE_ALONE);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return undefined;
      const buffer = Buffer.alloc(Math.min(stat.size, MAX_BYTES));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      const bytes = buffer.subarray(0, bytesRead);
      const isWhole = bytesRead === stat.size;
      if (isWhole && createHash('sha256').update(bytes).digest('hex') !== hash) return undefined;
      return { text: bytes.toString(), bytes: stat.size };
    } finally {
      await handle.close();
    }
  } catch {
    // It fell out, or its folder is not there: the report says how many.
    return undefined;
  }
}
