import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootStateFolder, userStateFolder } from '../workspace/local-state-folder.ts';

/** Bytes of a socket's path that every system takes (macOS: 104 with the final zero). */
const MAX_SOCKET_PATH = 100;

/** Where the resident process of a root (real path) listens. The folder is this user's alone (0700). */
export function residentSocket(root: string): string {
  const name = `${createHash('sha256').update(root).digest('hex').slice(0, 16)}.sock`;
  const folder = userStateFolder('run');
  const path = join(folder, name);
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH ? path : join(shortFolder(folder), name);
}

/** Where a resident writes what it has to complain about. */
export function residentLog(root: string): string {
  return join(rootStateFolder(root), 'serve.log');
}

/**
 * Connects to a resident; `undefined` where none listens: no socket, or the stale one of a process that died.
 * @throws where the socket or its folder belongs to another user
 */
export async function connectTo(path: string): Promise<Socket | undefined> {
  if (!isOwn(path)) return undefined;
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.off('error', refuse);
      resolve(socket);
    });
    const refuse = (error: NodeJS.ErrnoException): void => {
      if (['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(error.code ?? '')) resolve(undefined);
      else reject(error);
    };
    socket.once('error', refuse);
  });
}

function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return false;
  const folder = lstatSync(join(path, '..'));
  const uid = process.getuid?.();
  const isForeign = uid !== undefined && (found.uid !== uid || folder.uid !== uid);
  if (isForeign || (folder.mode & 0o077) !== 0) {
    throw new Error(`${path} could be another user's. Remove it, or set XDG_STATE_HOME to a folder of your own`);
  }
  return true;
}

/** For state folders whose own path is too long for a socket; one for each of them. */
function shortFolder(stateFolder: string): string {
  const hash = createHash('sha256').update(stateFolder).digest('hex').slice(0, 8);
  const folder = join(tmpdir().length > 60 ? '/tmp' : tmpdir(), `emend-${process.getuid?.() ?? 'user'}-${hash}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const uid = process.getuid?.();
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid)) {
    throw new Error(`${folder} belongs to another user. Set XDG_STATE_HOME to a shorter path`);
  }
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return folder;
}
