import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The user's folder for what emend keeps: `$XDG_STATE_HOME/emend`, else `~/.local/state/emend`, else a private folder
 * among the temporary ones. Made on first use, for this user alone (0700).
 */
export function userStateFolder(...parts: readonly string[]): string {
  const own = `emend-${process.getuid?.() ?? 'user'}`;
  for (const base of [preferredBase(), join(tmpdir(), own)]) {
    try {
      return privateFolder(join(base, ...parts), base);
    } catch {
      // No home folder, or one that can't be written: the next place.
    }
  }
  throw new Error(
    `no place to keep state: neither ${preferredBase()} nor ${join(tmpdir(), own)} can be written. Set XDG_STATE_HOME`,
  );
}

/** The part of it that belongs to one root, under a hash of the root's real path. */
export function rootStateFolder(root: string, ...parts: readonly string[]): string {
  return userStateFolder(createHash('sha256').update(root).digest('hex').slice(0, 16), ...parts);
}

function preferredBase(): string {
  const configured = process.env.XDG_STATE_HOME;
  return join(configured && isAbsolute(configured) ? configured : join(homedir(), '.local', 'state'), 'emend');
}

/** @throws where the folder is not ours: someone else may have put it there first */
function privateFolder(folder: string, base: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(base);
  const uid = process.getuid?.();
  if (!stat.isDirectory() || (uid !== undefined && stat.uid !== uid))
    throw new Error(`${base} belongs to another user`);
  if ((stat.mode & 0o077) !== 0) chmodSync(base, 0o700);
  return folder;
}
