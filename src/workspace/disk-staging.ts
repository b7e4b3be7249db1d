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
import type { FileOwner } from './document-store.ts';
import { userStateFolder } from './local-state-folder.ts';

const fsync = promisify(fsyncWithCallback);
const write = promisify(writeWithCallback);

const STAGE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OVER_FLAGS = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
/** A folder that lets us put nothing beside the file may still let us write the file. */
const STAGE_REFUSED = new Set(['EACCES', 'EPERM', 'EROFS']);
/** Copied to the page cache at once: cheaper than a turn of the thread pool. */
const AT_ONCE_BYTES = 256 * 1024;

/** New content on the disk, waiting to be put in its place. */
export interface Staged {
  readonly file: string;
  readonly inode: bigint;
  /** It was given a mode and an owner, and nothing else. */
  readonly isPlain: boolean;
  /** The owner that it was to have could not be given. */
  readonly isOthers?: boolean;
}

/** What a file is to be besides its content. */
type FileTraits =
  | { readonly kind: 'new'; readonly mode: number | undefined; readonly owner?: FileOwner | undefined }
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
    return { file, isPlain: true, ...(await writeStaged(file, bytes, traits)) };
  } catch (error) {
    await unlink(file).catch(() => undefined);
    if (traits.kind === 'like' && STAGE_REFUSED.has(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** The same in a file that is there already and empty, so that what else belongs to it stays. */
export async function stageOver(file: string, bytes: Uint8Array, traits: FileTraits): Promise<Staged> {
  return { file, isPlain: false, ...(await writeStaged(file, bytes, traits, OVER_FLAGS)) };
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
    return { file, isPlain: true, ...(await writeStaged(file, bytes, { kind: 'like', stat })) };
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

async function writeStaged(
  file: string,
  bytes: Uint8Array,
  traits: FileTraits,
  flags: number = STAGE_FLAGS,
): Promise<Pick<Staged, 'inode' | 'isOthers'>> {
  const descriptor = openSync(file, flags, traits.kind === 'new' && traits.mode === undefined ? 0o666 : 0o600);
  try {
    await writeAll(descriptor, bytes);
    const made = fstatSync(descriptor, { bigint: true });
    let isOthers = false;
    if (traits.kind === 'like') {
      const { uid, gid, mode } = traits.stat;
      if (made.uid !== uid || made.gid !== gid) fchownSync(descriptor, Number(uid), Number(gid));
      fchmodSync(descriptor, Number(mode) & 0o7777);
    } else isOthers = !givesTraits(descriptor, traits);
    await fsync(descriptor);
    return { inode: made.ino, ...(isOthers ? { isOthers } : {}) };
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the owner could be given; the mode is, as far as it may be then. */
function givesTraits(descriptor: number, { mode, owner }: Extract<FileTraits, { kind: 'new' }>): boolean {
  const isOwn = owner === undefined || isGiven(descriptor, owner);
  // A change of owner takes these bits away, and what another is to own must not lend the rights of this one.
  if (mode !== undefined) fchmodSync(descriptor, isOwn ? mode : mode & ~LENDS_RIGHTS);
  return isOwn;
}

/** Set-user-id and set-group-id. */
const LENDS_RIGHTS = 0o6000;

function isGiven(descriptor: number, { uid, gid }: FileOwner): boolean {
  const now = fstatSync(descriptor);
  if (now.uid === uid && now.gid === gid) return true;
  try {
    fchownSync(descriptor, uid, gid);
    return true;
  } catch (error) {
    if (!STAGE_REFUSED.has(errnoOf(error) ?? '')) throw error;
  }
  try {
    // The group at least, where this user is in it.
    fchownSync(descriptor, now.uid, gid);
  } catch (error) {
    if (!STAGE_REFUSED.has(errnoOf(error) ?? '')) throw error;
  }
  return false;
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done +=
      bytes.length <= AT_ONCE_BYTES
        ? writeSync(descriptor, bytes, done)
        : (await write(descriptor, bytes, done, bytes.length - done, null)).bytesWritten;
  }
}
