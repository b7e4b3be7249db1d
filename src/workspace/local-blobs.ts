import { createHash } from 'node:crypto';
import { link, mkdir, readdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blobs } from './kept-state.ts';
import { writeWhole } from './local-write-whole.ts';

const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
const PUTS_BETWEEN_LOOKS = 256;
/** Milliseconds within which a plain content is as young as one that is put now. */
const YOUNG_MS = 60_000;
/** Milliseconds for which one that was put plainly is taken to be there still. */
const SEEN_MS = 10_000;
const MAX_SEEN = 1000;

interface LocalBlobsOptions {
  readonly maxBytes?: number;
  /** A folder of other such contents, which gets these too: as a further name, so that they take no room twice. */
  readonly shownIn?: string;
}

/** Contents in a folder of this user alone, at most `maxBytes` of them; the oldest go first. */
export function createLocalBlobs(
  folder: string,
  { maxBytes = DEFAULT_MAX_BYTES, shownIn }: LocalBlobsOptions = {},
): Blobs {
  let puts = 0;
  // By hash, when it was put.
  const seen = new Map<string, number>();
  const fileOf = (hash: string, under = folder): string => join(under, hash.slice(0, 2), hash.slice(2));

  return {
    async put(bytes, care) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      if (care === 'plain' && Date.now() - (seen.get(hash) ?? 0) < SEEN_MS) return hash;
      const file = fileOf(hash);
      if (!(await refresh(file, bytes.length, care))) await writeWhole(file, bytes, care);
      if (shownIn !== undefined) await show(file, fileOf(hash, shownIn), bytes);
      if (seen.size >= MAX_SEEN) seen.clear();
      seen.set(hash, Date.now());
      puts += 1;
      if (puts % PUTS_BETWEEN_LOOKS === 0) await prune(folder, maxBytes);
      return hash;
    },
    async get(hash) {
      if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
      try {
        const bytes = await readFile(fileOf(hash));
        return createHash('sha256').update(bytes).digest('hex') === hash ? bytes : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
  };
}

/** A content that is wanted again is as young as a new one; one that was cut short does not count. */
async function refresh(file: string, length: number, care: 'durable' | 'plain'): Promise<boolean> {
  try {
    const { size, mtimeMs } = await stat(file);
    if (size !== length) return false;
    const now = new Date();
    if (care === 'durable' || now.getTime() - mtimeMs > YOUNG_MS) await utimes(file, now, now);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function show(file: string, shown: string, bytes: Uint8Array): Promise<void> {
  if (await refresh(shown, bytes.length, 'plain')) return;
  await mkdir(join(shown, '..'), { recursive: true, mode: 0o700 });
  // One that was cut short, or a file system without further names.
  await link(file, shown).catch(() => writeWhole(shown, bytes, 'plain'));
}

async function prune(folder: string, maxBytes: number): Promise<void> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    names
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const file = join(entry.parentPath, entry.name);
        // Another process may have taken it away.
        const found = await stat(file).catch(() => undefined);
        return { file, size: found?.size ?? 0, mtimeMs: found?.mtimeMs ?? 0 };
      }),
  );
  let left = files.reduce((sum, { size }) => sum + size, 0);
  for (const { file, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (left <= maxBytes) return;
    await unlink(file).catch(() => undefined);
    left -= size;
  }
}
