import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { connectTo, residentSocket } from './resident-address.ts';

const EDITOR_PREFIX = 'editor-';

/** Where one front of an editor listens; short enough for a socket, as those of residents beside it. */
export function newEditorSocket(): string {
  return join(socketFolder(), `${EDITOR_PREFIX}${randomBytes(4).toString('hex')}.sock`);
}

/** Connections to every front of an editor that this user runs. What dead ones left is taken away. */
export async function connectToEditors(known: ReadonlySet<string>): Promise<ReadonlyMap<string, Socket>> {
  const sockets = new Map<string, Socket>();
  for (const path of listSockets((name) => name.startsWith(EDITOR_PREFIX))) {
    if (known.has(path)) continue;
    try {
      const socket = await connectTo(path);
      if (socket) sockets.set(path, socket);
      else rmSync(path, { force: true });
    } catch {
      // It is another user's, or can't be reached now: nothing of ours to take away.
    }
  }
  return sockets;
}

/** Connections to every resident process that this user runs. */
export async function connectToResidents(): Promise<readonly Socket[]> {
  const paths = listSockets((name) => !name.startsWith(EDITOR_PREFIX));
  const sockets = await Promise.all(paths.map((path) => connectTo(path).catch(() => undefined)));
  return sockets.filter((socket) => socket !== undefined);
}

function listSockets(isMeant: (name: string) => boolean): readonly string[] {
  const folder = socketFolder();
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sock') && isMeant(name))
    .sort()
    .map((name) => join(folder, name));
}

function socketFolder(): string {
  return dirname(residentSocket('/'));
}
