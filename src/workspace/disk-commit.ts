import { accessSync, type BigIntStats, constants, lstatSync, renameSync } from 'node:fs';
import { link, lstat, rename, unlink } from 'node:fs/promises';
import { errnoOf } from './disk-errors.ts';
import { hasAttributes, rememberPlain } from './disk-file-traits.ts';
import type { HeldFolder } from './disk-folder.ts';
import { writeInPlace } from './disk-in-place.ts';
import { holds } from './disk-last-look.ts';
import { type Staged, stageApart, stageBeside, stageBesideFrom } from './disk-staging.ts';
import { StoreError } from './document-store.ts';

/** Where a change goes: an entry of a folder that is held. */
export interface Place {
  /** Absolute and real; what messages name. */
  readonly path: string;
  readonly folder: HeldFolder;
  readonly name: string;
}

/** A rename that is refused for these can still be a write in place. */
const RENAME_REFUSED = ['EBUSY', 'EXDEV', 'EPERM', 'EACCES'] as const;

/**
 * Puts new content in the place of old: written to the disk elsewhere, then renamed over it, so that anyone sees the
 * old or the new; in place where a rename would lose what belongs to the file. `changed`: it no longer has the content
 * `before`. Calls that only look are made at once, not in the thread pool: they are over before a turn of it begins.
 * @throws StoreError; then the old content is whole
 */
export async function replaceFile(place: Place, before: Uint8Array, after: Uint8Array): Promise<'written' | 'changed'> {
  const file = place.folder.at(place.name);
  const stat = statFile(place, file);
  if (!stat) return 'changed';
  checkWritable(place, file, stat);
  const inPlace = (): Promise<'written' | 'changed'> => writeInPlace({ path: place.path, file, before, after });
  if (stat.nlink > 1n || isForeign(stat)) return inPlace();

  const [attributes, apart] = await Promise.all([
    hasAttributes(place.path, stat),
    stageApart(place.folder, after, stat),
  ]);
  if (attributes) {
    if (apart) await unlink(apart.file);
    return inPlace();
  }
  if (apart) {
    const outcome = await putInPlace(place, apart, { before, after });
    if (outcome !== 'EXDEV') return outcome === 'written' || outcome === 'changed' ? outcome : inPlace();
    stageBesideFrom(place.folder);
  }
  const beside = await stageBeside(place.folder, after, { kind: 'like', stat });
  if (!beside) return inPlace();
  const outcome = await putInPlace(place, beside, { before, after });
  return outcome === 'written' || outcome === 'changed' ? outcome : inPlace();
}

/**
 * Looks once more, renames, and looks what came of it; what the system said where it does not let this be renamed. What
 * is staged is gone afterwards, one way or the other.
 */
export async function putInPlace(
  place: Place,
  staged: Staged,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
): Promise<'written' | 'changed' | (typeof RENAME_REFUSED)[number]> {
  const file = place.folder.at(place.name);
  let isRenamed = false;
  try {
    if (!(await holds(file, before))) return 'changed';
    renameSync(staged.file, file);
    isRenamed = true;
  } catch (error) {
    const refused = RENAME_REFUSED.find((errno) => errno === errnoOf(error));
    if (refused) return refused;
    throw error;
  } finally {
    if (!isRenamed) await unlink(staged.file);
  }
  await checkLanded(place, file, { staged, after });
  return 'written';
}

/** Gives what is staged a name that must be free. It has that name alone afterwards, or is gone. */
export async function putNew(staged: Staged, file: string): Promise<'written' | 'changed'> {
  try {
    await link(staged.file, file);
    return 'written';
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') return 'changed';
    // File systems without hard links.
    if (errno === 'EPERM' || errno === 'ENOTSUP' || errno === 'EOPNOTSUPP') return await renameNew(staged.file, file);
    throw error;
  } finally {
    await unlink(staged.file).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
    });
  }
}

async function renameNew(staged: string, file: string): Promise<'written' | 'changed'> {
  if (await lstat(file).catch(() => undefined)) return 'changed';
  await rename(staged, file);
  return 'written';
}

/** What stands there; `undefined`: nothing, or a link. @throws StoreError for what is no file */
export function statFile(place: Place, file: string): BigIntStats | undefined {
  try {
    const stat = lstatSync(file, { bigint: true });
    if (stat.isFile()) return stat;
    if (stat.isDirectory()) throw new StoreError('is_directory', `${place.path} is a folder. Name a file in it`);
    if (stat.isSymbolicLink()) return undefined;
    throw new StoreError('denied', `${place.path} is a device, a pipe or a socket, not a file`);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @throws StoreError for a file whose mode or owner keeps this user from changing it */
export function checkWritable(place: Place, file: string, stat: BigIntStats): void {
  const mode = (Number(stat.mode) & 0o7777).toString(8).padStart(4, '0');
  if ((Number(stat.mode) & 0o222) === 0) {
    throw new StoreError(
      'read_only',
      `${place.path} is a read-only file (mode ${mode}). chmod u+w it first if it is to change`,
    );
  }
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error;
    throw new StoreError(
      'denied',
      `${place.path} may not be written by this user (mode ${mode}, owner ${stat.uid})`,
      error,
    );
  }
}

/** Only root can give a file back to its owner. */
function isForeign(stat: BigIntStats): boolean {
  const user = process.geteuid?.();
  return user !== undefined && user !== 0 && stat.uid !== BigInt(user);
}

/** Success is said of what is seen: our file, or (where a file system gives no lasting numbers) its content. */
async function checkLanded(
  place: Place,
  file: string,
  { staged, after }: { readonly staged: Staged; readonly after: Uint8Array },
): Promise<void> {
  const landed = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  if (landed?.ino === staged.inode && landed.size === BigInt(after.length)) {
    if (staged.isPlain) rememberPlain(place.path, landed);
    return;
  }
  if (await holds(file, after)) return;
  throw new StoreError(
    'io',
    `${place.path} was written, and changed or removed by another program at once. Read it again`,
  );
}
