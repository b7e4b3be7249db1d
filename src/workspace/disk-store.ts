import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { checkChange } from './disk-check.ts';
import { type Place, replaceFile } from './disk-commit.ts';
import { errnoOf, storeErrorOf } from './disk-errors.ts';
import { attributesOf } from './disk-file-traits.ts';
import { type HeldFolder, holdFolder } from './disk-folder.ts';
import { undoInterruptedWrites } from './disk-in-place.ts';
import { makeFolders, removeFolders } from './disk-make-folders.ts';
import { nameOfInode } from './disk-name-of.ts';
import { putOtherFile } from './disk-other-file.ts';
import { type AllowsPath, readWhole, withOpenFile } from './disk-read.ts';
import { realPathOf } from './disk-real-path.ts';
import { removeFile } from './disk-remove.ts';
import { statFile, statFileNow } from './disk-stat.ts';
import { forgetSwept, sweepTempFiles } from './disk-temp-files.ts';
import {
  type DocumentStore,
  type StoredChange,
  type StoredContent,
  type StoredEntry,
  StoreError,
  type StoreOutcome,
} from './document-store.ts';
import { countYoungBuffer } from './local-young-buffers.ts';
import { decodeEscaped } from './visible-text.ts';

interface DiskStoreOptions {
  /** Which real paths may be touched, asked when a file is open or about to be written; all, where absent. */
  readonly allows?: AllowsPath;
}

/**
 * Files on this machine's disk. A write is seen whole or not at all; it keeps the file's mode, owner, links and
 * attributes, goes to the target of a link, and leaves nothing beside it.
 */
export function createDiskStore(options: DiskStoreOptions = {}): DocumentStore {
  const { allows } = options;
  let mended: Promise<void> | undefined;
  // What an earlier process left half written is put right before anything is read or written.
  const mend = (): Promise<void> => {
    // Without a state folder nothing was saved, and nothing can be put back.
    mended ??= undoInterruptedWrites().catch(() => undefined);
    return mended;
  };

  return {
    async read(path, signal) {
      await mend();
      signal?.throwIfAborted();
      const bytes = await withOpenFile(path, allows, (file, size) => readWhole(path, file, size));
      return { kind: 'file', bytes };
    },

    stat: statFile,
    statNow: statFileNow,

    readBytes: (path, start, length) =>
      withOpenFile(path, allows, async (file) => {
        const bytes = Buffer.alloc(length);
        countYoungBuffer(length);
        let read = 0;
        while (read < length) {
          const { bytesRead } = await file.read(bytes, read, length - read, start + read);
          if (bytesRead === 0) break;
          read += bytesRead;
        }
        return bytes.subarray(0, read);
      }),

    async realPath(path) {
      try {
        return await realPathOf(path);
      } catch (error) {
        throw storeErrorOf(error, path);
      }
    },

    async list(path) {
      try {
        const entries = await readdir(path, { withFileTypes: true, encoding: 'buffer' });
        return entries
          .map((entry): StoredEntry => ({ name: decodeEscaped(entry.name), kind: kindOf(entry) }))
          .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      } catch (error) {
        throw storeErrorOf(error, path);
      }
    },

    async write(path, change, signal) {
      await mend();
      try {
        const real = await realPathOf(path);
        checkAllowed(path, real, allows);
        if (change.origin?.kind === 'of') checkAllowed(path, await realPathOf(change.origin.path), allows);
        signal?.throwIfAborted();
        return await writeAt(path, real, change);
      } catch (error) {
        if (signal?.aborted && error === signal.reason) throw error;
        throw storeErrorOf(error, path);
      }
    },

    async remove(path, base, folders = []) {
      await mend();
      try {
        const real = await realPathOf(path);
        checkAllowed(path, real, allows);
        return await removeAt(path, real, { base, folders });
      } catch (error) {
        throw storeErrorOf(error, path);
      }
    },

    async attributes(path) {
      try {
        return await attributesOf(path, await lstat(path, { bigint: true }));
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return undefined;
        throw storeErrorOf(error, path);
      }
    },

    nameOf: nameOfInode,

    async check(path, kind) {
      try {
        const real = await realPathOf(path);
        checkAllowed(path, real, allows);
        await checkChange(path, real, kind);
      } catch (error) {
        throw storeErrorOf(error, path);
      }
    },

    async tidy(path, made = []) {
      // A folder that is gone has nothing left in it.
      const folder = await holdFolder(path).catch(() => undefined);
      if (folder) {
        forgetSwept(path);
        await sweepTempFiles(folder).finally(() => folder.close());
      }
      await removeFolders(made);
    },
  };
}

function checkAllowed(path: string, real: string, allows: AllowsPath | undefined): void {
  if (!allows || allows(real)) return;
  throw new StoreError('denied', `${path} leads to ${real}, which is outside. Name a file inside the root`);
}

async function removeAt(
  path: string,
  real: string,
  what: { readonly base: StoredContent; readonly folders: readonly string[] },
): Promise<StoreOutcome> {
  if (what.base.kind === 'buffer') return { status: 'changed' };
  let folder: HeldFolder | undefined;
  try {
    folder = await holdFolder(dirname(real));
    const status = await removeFile({ path, folder, name: basename(real) }, what.base.bytes);
    await sweepTempFiles(folder);
    if (status === 'written') await removeFolders(what.folders);
    return { status };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { status: 'changed' };
    throw error instanceof StoreError ? error : blockedByFolder(error, path, dirname(real));
  } finally {
    await folder?.close();
  }
}

async function writeAt(path: string, real: string, change: StoredChange): Promise<StoreOutcome> {
  const { base } = change;
  if (base?.kind === 'buffer') return { status: 'changed' };
  const made = base ? [] : await makeFolders(dirname(real), path);
  let folder: HeldFolder | undefined;
  try {
    folder = await holdFolder(dirname(real));
    const place: Place = { path, folder, name: basename(real) };
    const outcome = await put(place, change);
    await sweepTempFiles(folder);
    if (outcome.status === 'changed') await removeFolders(made);
    return outcome.status === 'written' && made.length > 0 ? { ...outcome, made } : outcome;
  } catch (error) {
    await removeFolders(made);
    throw base || error instanceof StoreError ? error : blockedByFolder(error, path, dirname(real));
  } finally {
    await folder?.close();
  }
}

async function put(place: Place, { base, bytes, origin, ...traits }: StoredChange): Promise<StoreOutcome> {
  const before = base?.kind === 'file' ? base.bytes : undefined;
  if (!origin && before) return { status: await replaceFile(place, before, bytes) };
  if (origin?.kind !== 'of') return putOtherFile(place, { before, after: bytes, traits, source: undefined });
  const folder = await holdFolder(dirname(origin.path));
  try {
    const source = { path: origin.path, folder, name: basename(origin.path), goes: origin.goes === true };
    return await putOtherFile(place, { before, after: bytes, traits, source });
  } finally {
    await folder.close();
  }
}

/** Where a file can't be made it is its folder that has to be told. */
function blockedByFolder(error: unknown, path: string, folder: string): unknown {
  const errno = errnoOf(error);
  if (errno === 'ENOTDIR')
    return new StoreError(
      'not_found',
      `${path}: ${folder} is a file, not a folder. Name another place, or move that file away first`,
      error,
    );
  if (errno !== 'EACCES' && errno !== 'EPERM') return error;
  return new StoreError('denied', `${path}: the directory ${folder} is not writable`, error);
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): StoredEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
