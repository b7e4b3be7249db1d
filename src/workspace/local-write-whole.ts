import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file of the state folder, for this user alone: it appears whole or not at all, and its folder is made where
 * there is none. `durable`: its content is on the disk before its name is.
 */
export async function writeWhole(file: string, content: string | Uint8Array, care: 'durable' | 'plain'): Promise<void> {
  const temp = `${file}.${randomBytes(6).toString('hex')}.part`;
  const handle = await open(temp, 'wx', 0o600).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return open(temp, 'wx', 0o600);
  });
  try {
    try {
      await handle.writeFile(content);
      if (care === 'durable') await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temp, file);
  } catch (error) {
    await unlink(temp);
    throw error;
  }
}
