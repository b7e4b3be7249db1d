import { spawn } from 'node:child_process';
import type { BigIntStats } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Of the archive; attributes are told in a header of their own before the file's. */
const BLOCK_BYTES = 512;
const DEADLINE_MS = 2000;
/** SELinux labels are given anew by the same rules to a file made in the same folder. */
const ATTRIBUTE = /SCHILY\.(?:acl\.|xattr\.(?!security\.selinux))/;
const MAX_KNOWN = 4096;

let canAsk = process.platform === 'linux';
const plainFiles = new Map<string, string>();

/**
 * Whether a file has an access list or extended attributes, which a new file in its place would lack. Node can't ask;
 * GNU tar can, at the cost of a process, once for each file as long as no one changes it. Where there is no such tar,
 * a file counts as plain.
 */
export async function hasAttributes(path: string, stat: BigIntStats): Promise<boolean> {
  if (!canAsk || plainFiles.get(path) === stampOf(stat)) return false;
  const header = await archiveHeader(path);
  if (header === undefined) {
    canAsk = false;
    return false;
  }
  if (ATTRIBUTE.test(header)) return true;
  rememberPlain(path, stat);
  return false;
}

/** A file that was just made and given nothing but a mode and an owner. */
export function rememberPlain(path: string, stat: BigIntStats): void {
  if (plainFiles.size >= MAX_KNOWN) plainFiles.clear();
  plainFiles.set(path, stampOf(stat));
}

/**
 * The access list and the extended attributes of a file, as the archive records that `stageWith` takes; `undefined` where
 * it has none, or where they can't be told.
 */
export async function attributesOf(path: string, stat: BigIntStats): Promise<string | undefined> {
  if (!(await hasAttributes(path, stat))) return undefined;
  const records = recordsIn((await archiveHeader(path)) ?? '').filter((record) => ATTRIBUTE.test(record));
  return records.length > 0 ? records.join('') : undefined;
}

/** Each is its length in decimal, a blank, a name, `=`, a value and a line feed; a character is a byte. */
function recordsIn(header: string): readonly string[] {
  const records: string[] = [];
  for (let at = 0; at < header.length; ) {
    const length = Number.parseInt(header.slice(at, at + 20), 10);
    if (!(length > 0)) break;
    records.push(header.slice(at, at + length));
    at += length;
  }
  return records;
}

/** Setting an attribute changes the time of the inode. */
function stampOf(stat: BigIntStats): string {
  return `${stat.dev}:${stat.ino}:${stat.ctimeNs}`;
}

/** What an archive of the file tells of it beside its content; `undefined` where tar is absent or knows no attributes. */
function archiveHeader(path: string): Promise<string | undefined> {
  const args = ['--create', '--format=pax', '--acls', '--xattrs', '--xattrs-include=*', '--no-recursion', '--file=-'];
  const child = spawn('tar', [...args, '-C', dirname(path), '--', `./${basename(path)}`], {
    // A relative folder of PATH is not to be one of the project.
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' },
    timeout: DEADLINE_MS,
  });
  return new Promise((resolve) => {
    let archive = Buffer.alloc(0);
    const finish = (): void => {
      child.stdout.destroy();
      child.kill('SIGKILL');
      resolve(archive.length < BLOCK_BYTES ? undefined : extendedHeader(archive));
    };
    child.stdout.on('data', (chunk: Buffer) => {
      archive = Buffer.concat([archive, chunk]);
      // The content behind the header is not waited for.
      if (archive.length >= BLOCK_BYTES && archive.length >= BLOCK_BYTES + extendedSize(archive)) finish();
    });
    child.on('error', finish);
    child.on('close', finish);
  });
}

function extendedHeader(archive: Buffer): string {
  return archive.toString('latin1', BLOCK_BYTES, BLOCK_BYTES + extendedSize(archive));
}

/** Bytes of the extended header (POSIX pax: type `x`, size in octal at 124) that stands first; 0 where none does. */
function extendedSize(archive: Buffer): number {
  return archive.toString('latin1', 156, 157) === 'x' ? Number.parseInt(archive.toString('latin1', 124, 135), 8) : 0;
}
