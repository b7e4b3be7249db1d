/**
 * The machine that language servers start on, as far as finding them needs it. Paths are absolute; nothing here throws
 * for what is absent.
 */
export interface ServerMachine {
  /** A file's text, `undefined` where there is none that can be read. */
  readText(path: string): Promise<string | undefined>;
  exists(path: string): Promise<boolean>;
  /** Something that differs when the file may have changed; `undefined` where there is none. */
  stamp(path: string): Promise<string | undefined>;
  /** The names in a folder; none where it can't be read. */
  names(path: string): Promise<readonly string[]>;
  /** The path with its links resolved; itself where it does not exist. */
  realPath(path: string): Promise<string>;
  /** Where a command stands on PATH. */
  onPath(command: string): Promise<string | undefined>;
  /** The Node executable that runs servers written in JavaScript. */
  readonly node: string;
  /** As in the names of platform packages: `linux`, `darwin`, `win32`; `x64`, `arm64`. */
  readonly platform: string;
  readonly arch: string;
  /** A folder inside emend's own package, from which its dependencies are found. */
  readonly ownFolder: string;
  /** Holds a folder for each server that `emend doctor --install` installed. */
  readonly serversFolder: string;
  /** Folders that are no project: the file system's root, the home folder. No server takes one as its root. */
  readonly tooWide: readonly string[];
}

/** The nearest installed package of that name, looked for in `node_modules` from a folder upwards. */
export async function findPackage(
  machine: ServerMachine,
  from: string,
  name: string,
): Promise<{ readonly folder: string; readonly version: string } | undefined> {
  for (const folder of foldersUp(from)) {
    const installed = `${folder === '/' ? '' : folder}/node_modules/${name}`;
    const manifest = await machine.readText(`${installed}/package.json`);
    if (manifest === undefined) continue;
    return { folder: await machine.realPath(installed), version: versionIn(manifest) };
  }
  return undefined;
}

/** A folder and those above it, innermost first. */
export function foldersUp(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let current = folder; ; ) {
    folders.push(current);
    const cut = current.lastIndexOf('/');
    const parent = cut <= 0 ? '/' : current.slice(0, cut);
    if (parent === current) return folders;
    current = parent;
  }
}

function versionIn(manifest: string): string {
  const version = /"version"\s*:\s*"([^"]+)"/.exec(manifest)?.[1];
  return version ?? 'unknown';
}
