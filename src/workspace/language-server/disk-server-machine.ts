import { access, constants, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { readOrdinaryText } from '../disk-read-text.ts';
import type { ServerMachine } from './server-machine.ts';

/** Of a manifest or a settings file; larger ones are as if they were not there. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** This machine, seen through its disk and our environment. */
export function diskServerMachine(): ServerMachine {
  return {
    readText: async (path) => {
      const read = await readOrdinaryText(path, MAX_TEXT_BYTES);
      return read.status === 'text' ? read.text : undefined;
    },
    exists: (path) => access(path).then(present, isAbsent),
    stamp: (path) => stat(path).then(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`, absent),
    names: (path) => readdir(path).catch(() => []),
    realPath: (path) => realpath(path).catch(() => path),
    onPath: async (command) => {
      for (const folder of (process.env.PATH ?? '').split(delimiter)) {
        const path = join(folder, command);
        if (isAbsolute(folder) && (await access(path, constants.X_OK).then(present, isAbsent))) return path;
      }
      return undefined;
    },
    node: process.execPath,
    platform: process.platform,
    arch: process.arch,
    ownFolder: import.meta.dirname,
    serversFolder: serversFolder(),
    tooWide: ['/', homedir()],
  };
}

/** Where `emend doctor --install` puts servers: `$XDG_DATA_HOME/emend/servers`, else `~/.local/share/emend/servers`. */
export function serversFolder(): string {
  const configured = process.env.XDG_DATA_HOME;
  const base = configured && isAbsolute(configured) ? configured : join(homedir(), '.local', 'share');
  return join(base, 'emend', 'servers');
}

const absent = (): undefined => undefined;
const present = (): true => true;
const isAbsent = (): false => false;
