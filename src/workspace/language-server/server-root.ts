import type { ServerDefinition } from './server-definition.ts';
import { foldersUp, type ServerMachine } from './server-machine.ts';

/**
 * The folder that a server of this definition should work on for a file: where one of the definition's root rules
 * finds a marker at or below `boundary`, else `boundary` itself (for one that needs a marker: none); where that would be
 * a folder too wide to be a project (`/`, home), the file's repository. `undefined` where there is none, or where the
 * file lies outside the boundary and no marker stands above it.
 */
export async function serverRoot(
  machine: ServerMachine,
  definition: ServerDefinition,
  file: { readonly path: string; readonly boundary: string },
): Promise<string | undefined> {
  const folder = file.path.slice(0, Math.max(1, file.path.lastIndexOf('/')));
  const isInside = contains(file.boundary, folder);
  const candidates = foldersUp(folder).filter(
    (candidate) => !machine.tooWide.includes(candidate) && (!isInside || contains(file.boundary, candidate)),
  );
  for (const rule of definition.root) {
    const ordered = rule.pick === 'nearest' ? candidates : [...candidates].reverse();
    for (const candidate of ordered) {
      if (await hasMarker(machine, candidate, rule.markers)) return candidate;
    }
  }
  const needsMarker = definition.checker ?? definition.needsProject ?? false;
  if (!isInside || needsMarker) return undefined;
  if (!machine.tooWide.includes(file.boundary)) return file.boundary;
  // In a home folder a file belongs to its repository.
  for (const candidate of candidates) if (await machine.exists(`${candidate}/.git`)) return candidate;
  return undefined;
}

/** Whether `folder` is `root` or lies below it. */
export function contains(root: string, folder: string): boolean {
  return folder === root || folder.startsWith(root.endsWith('/') ? root : `${root}/`);
}

async function hasMarker(machine: ServerMachine, folder: string, markers: readonly string[]): Promise<boolean> {
  for (const marker of markers) {
    const cut = marker.indexOf('#');
    const path = `${folder}/${cut < 0 ? marker : marker.slice(0, cut)}`;
    const isThere =
      cut < 0 ? await machine.exists(path) : ((await machine.readText(path))?.includes(marker.slice(cut + 1)) ?? false);
    if (isThere) return true;
  }
  return false;
}
