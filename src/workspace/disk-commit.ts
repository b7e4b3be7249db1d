import { type BigIntStats, constants } from 'node:fs';
import { access, type FileHandle, link, lstat, open, rename, unlink } from 'node:fs/promises';
import { errnoOf } from './disk-errors.ts';
import { hasAttributes, rememberPlain } from './disk-file-traits.ts';
import type { HeldFolder } from './disk-folder.ts';
import { writeInPlace } from './disk-in-place.ts';
import { tempName } from './disk-temp-files.ts';
import { StoreError } from './document-store.ts';

/** Where a change goes: an entry of a folder that is held. */
export interface Place {
  /** Absolute and real; what messages name. */
  readonly path: string;
  readonly folder: HeldFolder;
  readonly name: string;
}

const STAGE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const LOOK_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** A rename that is refused for these can still be a write in place. */
const RENAME_REFUSED = new Set(['EBUSY', 'EXDEV', 'EPERM', 'EACCES']);
/** A folder that lets us put nothing beside the file may still let us write the file. */
const STAGE_REFUSED = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Puts new content in the place of old. Beside it, then renamed over it, so that anyone sees the old or the new; in
 * place where a rename would lose what belongs to the file. `changed`: it no longer has the content `before`.
 * @throws StoreError; then the old content is whole
 */
export async function replaceFile(place: Place, before: Uint8Array, after: Uint8Array): Promise<'written' | 'changed'> {
  const file = place.folder.at(place.name);
  const stat = await statFile(place, file);
  if (!stat) return 'changed';
  await checkWritable(place, file, stat);
  const inPlace = (): Promise<'written' | 'changed'> => writeInPlace({ path: place.path, file, before, after });
  if (stat.nlink > 1n || isForeign(stat)) return inPlace();

  const [attributes, staged] = await Promise.all([hasAttributes(place.path, stat), stage(place, after, stat)]);
  if (staged === undefined) return inPlace();
  try {
    if (attributes) return await inPlace();
    if (!(await holds(file, before))) return 'changed';
    await rename(staged.file, file);
    staged.isRenamed = true;
  } catch (error) {
    if (RENAME_REFUSED.has(errnoOf(error) ?? '')) return await inPlace();
    throw error;
  } finally {
    if (!staged.isRenamed) await unlink(staged.file);
  }
  await checkLanded(place, file, staged.inode, after.length);
  return 'written';
}

/** Makes a file that must not be there yet, with this mode where one is given. `changed`: it is. @throws StoreError */
export async function createFile(place: Place, bytes: Uint8Array, mode?: number): Promise<'written' | 'changed'> {
  const file = place.folder.at(place.name);
  const temp = place.folder.at(tempName());
  try {
    await write(temp, bytes, mode === undefined ? { mode: 0o666 } : { mode: 0o600, exactMode: mode });
    await link(temp, file);
    return 'written';
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') return 'changed';
    // File systems without hard links.
    if (errno === 'EPERM' || errno === 'ENOTSUP' || errno === 'EOPNOTSUPP') return await renameNew(temp, file, error);
    throw error;
  } finally {
    await unlink(temp).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
    });
  }
}

async function renameNew(temp: string, file: string, cause: unknown): Promise<'written' | 'changed'> {
  const [made, there] = await Promise.all([lstat(temp).catch(() => undefined), lstat(file).catch(() => undefined)]);
  if (!made) throw cause;
  if (there) return 'changed';
  await rename(temp, file);
  return 'written';
}

async function statFile(place: Place, file: string): Promise<BigIntStats | undefined> {
  try {
    const stat = await lstat(file, { bigint: true });
    if (stat.isFile()) return stat;
    if (stat.isDirectory()) throw new StoreError('is_directory', `${place.path} is a folder. Name a file in it`);
    if (stat.isSymbolicLink()) return undefined;
    throw new StoreError('denied', `${place.path} is a device, a pipe or a socket, not a file`);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function checkWritable(place: Place, file: string, stat: BigIntStats): Promise<void> {
  const mode = (Number(stat.mode) & 0o7777).toString(8).padStart(4, '0');
  if ((Number(stat.mode) & 0o222) === 0) {
    throw new StoreError(
      'read_only',
      `${place.path} is a read-only file (mode ${mode}). chmod u+w it first if it is to change`,
    );
  }
  try {
    await access(file, constants.W_OK);
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

interface Staged {
  readonly file: string;
  readonly inode: bigint;
  isRenamed: boolean;
}

/** The new content beside the old, on the disk, with its mode and owner; `undefined` where that can't be had. */
async function stage(place: Place, bytes: Uint8Array, stat: BigIntStats): Promise<Staged | undefined> {
  const file = place.folder.at(tempName());
  try {
    return { file, inode: await write(file, bytes, { mode: 0o600, like: stat }), isRenamed: false };
  } catch (error) {
    await unlink(file).catch(() => undefined);
    if (STAGE_REFUSED.has(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

async function write(
  file: string,
  bytes: Uint8Array,
  traits: { readonly mode: number; readonly exactMode?: number; readonly like?: BigIntStats },
): Promise<bigint> {
  const { mode, exactMode, like } = traits;
  const handle: FileHandle = await open(file, STAGE_FLAGS, mode);
  try {
    await handle.writeFile(bytes);
    const made = await handle.stat({ bigint: true });
    if (like) {
      if (made.uid !== like.uid || made.gid !== like.gid) await handle.chown(Number(like.uid), Number(like.gid));
      await handle.chmod(Number(like.mode) & 0o7777);
    }
    if (exactMode !== undefined) await handle.chmod(exactMode);
    await handle.sync();
    return made.ino;
  } finally {
    await handle.close();
  }
}

/** The last look: what the change was planned on is still there. */
export async function holds(file: string, before: Uint8Array): Promise<boolean> {
  try {
    const handle = await open(file, LOOK_FLAGS);
    try {
      return Buffer.compare(await handle.readFile(), before) === 0;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

/** Success is said of what is seen. */
async function checkLanded(place: Place, file: string, inode: bigint, length: number): Promise<void> {
  const landed = await lstat(file, { bigint: true }).catch(() => undefined);
  if (landed?.ino === inode && landed.size === BigInt(length)) {
    rememberPlain(place.path, landed);
    return;
  }
  throw new StoreError(
    'io',
    `${place.path} was written, and changed or removed by another program at once. Read it again`,
  );
}
