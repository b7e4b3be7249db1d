import { constants } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { isWithin } from '../../workspace/deny-list.ts';
import { UsageError } from '../usage-error.ts';

interface SettingsFileOptions {
  readonly maxBytes: number;
  /** A link must not lead out of this folder (real path): what is elsewhere is not the project's to quote. */
  readonly within?: string;
}

/**
 * The text of a settings file, without its byte order mark; `undefined` where there is none.
 * @throws UsageError naming the file and what is wrong with it: a folder or pipe, a link to elsewhere, too much, unreadable
 */
export async function readSettingsFile(file: string, options: SettingsFileOptions): Promise<string | undefined> {
  const place = await placeOf(file, options.within);
  if (place === undefined) return undefined;
  // A pipe would be waited for.
  const handle = await open(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw wrong(file, 'is a folder. Remove it, or make it a file');
    if (!stat.isFile()) throw wrong(file, 'is no ordinary file. Remove it, or make it a file');
    if (stat.size > options.maxBytes) throw tooLarge(file, stat.size, options.maxBytes);
    const buffer = Buffer.alloc(stat.size);
    const { bytesRead } = await handle.read(buffer, 0, stat.size, 0);
    return textOf(file, buffer.subarray(0, bytesRead));
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(file, error);
  } finally {
    await handle.close();
  }
}

async function placeOf(file: string, within: string | undefined): Promise<string | undefined> {
  try {
    if (!(await lstat(file)).isSymbolicLink()) return file;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw unreadable(file, error);
  }
  const real = await realpath(file).catch((error: unknown) => {
    if (isAbsent(error)) throw wrong(file, 'is a link to nothing. Remove it, or make what it names');
    throw unreadable(file, error);
  });
  if (within !== undefined && !isWithin(within, real)) {
    throw wrong(file, `is a link out of the project, to ${real}. Put the file itself there`);
  }
  return real;
}

function textOf(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw wrong(file, 'is not UTF-8. Save it as UTF-8', error);
  }
}

function tooLarge(file: string, size: number, maxBytes: number): UsageError {
  return wrong(file, `has ${size} bytes, and ${maxBytes} are the most that are read. Make it smaller`);
}

function unreadable(file: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return wrong(file, `can't be read (${code}). Make it readable, or remove it`, error);
}

function wrong(file: string, what: string, cause?: unknown): UsageError {
  return new UsageError(`${file} ${what}.`, { cause });
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
