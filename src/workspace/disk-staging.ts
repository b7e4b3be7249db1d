import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync as fsyncWithCallback,
  lstatSync,
  openSync,
  realpathSync,
  writeSync,
  write as writeWithCallback,
} from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf } from './disk-errors.ts';
import { type HeldFolder, holdFolder } from './disk-folder.ts';
import { sweepTempFiles, tempName } from './disk-temp-files.ts';
import { userStateFolder } from './local-state-folder.ts';

const fsync = promisify(fsyncWithCallback);
const write = promisify(writeWithCallback);

const STAGE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** A folder that lets us put nothing beside the file may still let us write the file. */
const STAGE_REFUSED = new Set(['EACCES', 'EPERM', 'EROFS']);
/** Copied to the page cache at once: cheaper than a turn of the thread pool. */
const AT_ONCE_BYTES = 256 * 1024;

/** New content on the disk, waiting to be put in its place. */
export interface Staged {
  readonly file: string;
  readonly inode: bigint;
}

/** What a file is to be besides its content. */
export type FileTraits =
  | { readonly kind: 'new'; readonly mode: number | undefined }
  | { readonly kind: 'like'; readonly stat: BigIntStats };

/**
 * Writes content beside the file that it is for, and to the disk; `undefined` where the folder or the owner does not
 * allow it.
 */
export async function stageBeside(
  folder: HeldFolder,
  bytes: Uint8Array,
  traits: FileTraits,
): Promise<Staged | undefined> {
  const file = folder.at(tempName());
  try {
    return { file, inode: await writeStaged(file, bytes, traits) };
  } catch (error) {
    await unlink(file).catch(() => undefined);
    if (traits.kind === 'like' && STAGE_REFUSED.has(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * Writes content in the user's state folder, where that is on the file's own file system: a process that dies then
 * leaves nothing in the tree. `undefined` where it is not, or where a file would bring a security label along.
 */
export async function stageApart(
  folder: HeldFolder,
  bytes: Uint8Array,
  stat: BigIntStats,
): Promise<Staged | undefined> {
  const stagedIn = await folderApart(stat.dev);
  if (!stagedIn || unreachable.has(folder.path)) return undefined;
  const file = join(stagedIn, tempName());
  try {
    return { file, inode: await writeStaged(file, bytes, { kind: 'like', stat }) };
  } catch (error) {
    await unlink(file).catch(() => undefined);
    if (STAGE_REFUSED.has(errnoOf(error) ?? '') || errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Another mount of the same file system: what is staged apart can't be renamed into this folder. */
export function stageBesideFrom(folder: HeldFolder): void {
  unreachable.add(folder.path);
}

/** The folder that is staged in, and the file system that it is on. */
interface ApartFolder {
  readonly folder: string;
  readonly device: bigint;
}

const unreachable = new Set<string>();
let apart: Promise<ApartFolder | undefined> | undefined;

async function folderApart(device: bigint): Promise<string | undefined> {
  apart ??= prepareApart();
  const prepared = await apart;
  return prepared?.device === device ? prepared.folder : undefined;
}

async function prepareApart(): Promise<ApartFolder | undefined> {
  if (existsSync('/sys/fs/selinux/enforce')) return undefined;
  try {
    const folder = realpathSync(userStateFolder('staged'));
    const held = await holdFolder(folder);
    await sweepTempFiles(held).finally(() => held.close());
    return { folder, device: lstatSync(folder, { bigint: true }).dev };
  } catch {
    // No state folder: everything is staged beside.
    return undefined;
  }
}

async function writeStaged(file: string, bytes: Uint8Array, traits: FileTraits): Promise<bigint> {
  const descriptor = openSync(file, STAGE_FLAGS, traits.kind === 'new' && traits.mode === undefined ? 0o666 : 0o600);
  try {
    await writeAll(descriptor, bytes);
    const made = fstatSync(descriptor, { bigint: true });
    if (traits.kind === 'like') {
      const { uid, gid, mode } = traits.stat;
      if (made.uid !== uid || made.gid !== gid) fchownSync(descriptor, Number(uid), Number(gid));
      fchmodSync(descriptor, Number(mode) & 0o7777);
    } else if (traits.mode !== undefined) fchmodSync(descriptor, traits.mode);
    await fsync(descriptor);
    return made.ino;
  } finally {
    closeSync(descriptor);
  }
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done +=
      bytes.length <= AT_ONCE_BYTES
        ? writeSync(descriptor, bytes, done)
        : (await write(descriptor, bytes, done, bytes.length - done, null)).bytesWritten;
  }
}
