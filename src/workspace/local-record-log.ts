import { appendFile, type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RecordLog } from './kept-state.ts';

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
/** Others write to the same file, so that what this process added tells how full it may be, not how full it is. */
const LINES_BETWEEN_LOOKS = 32;

/**
 * A log that its owner alone can read. When it is full it becomes `FILE.1`, in the place of the one before, and a new
 * one begins: so there are at most twice `maxBytes`.
 */
export function createLocalRecordLog(file: string, maxBytes: number = DEFAULT_MAX_BYTES): RecordLog {
  let turn: Promise<unknown> = Promise.resolve();

  let unseenLines = LINES_BETWEEN_LOOKS;
  let unseenBytes = 0;

  const look = async (): Promise<void> => {
    // There is none before the first line.
    const found = await stat(file).catch(() => undefined);
    // Another process may have put it away first.
    if (found && found.size > maxBytes) await rename(file, `${file}.1`).catch(() => undefined);
    unseenLines = 0;
    unseenBytes = 0;
  };

  const append = async (line: string): Promise<void> => {
    if (unseenLines >= LINES_BETWEEN_LOOKS || unseenBytes > maxBytes / 64) await look();
    unseenLines += 1;
    unseenBytes += line.length;
    const add = () => appendFile(file, `${line}\n`, { mode: 0o600 });
    try {
      await add();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await add();
    }
  };

  return {
    append(line) {
      const done = turn.then(() => append(line));
      // Whoever asked hears of a failure; the next line tries for itself.
      turn = done.catch(() => undefined);
      return done;
    },
    recent: async (bytes) => (await endOf(file, bytes)).split('\n').filter((line) => line !== ''),
  };
}

/** From the beginning of a line on; nothing where there is no log yet. */
async function endOf(file: string, bytes: number): Promise<string> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(size - from);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}
