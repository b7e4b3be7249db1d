import { basename, dirname, join } from 'node:path';

/** What a file system says of names. */
export interface NameLook {
  /** What tells one file from another, links followed; `undefined`: there is none. */
  identity(path: string): string | undefined;
  list(folder: string): Promise<readonly string[]>;
}

/**
 * An absolute path with each name spelled as its folder lists it, where that folder does not tell case apart: so two
 * spellings of one file are one path. Where case counts it is the path as it was.
 */
export async function spelledAsListed(path: string, look: NameLook): Promise<string> {
  const above = dirname(path);
  if (above === path) return path;
  const folder = await spelledAsListed(above, look);
  return join(folder, await listedName(look, folder, basename(path)));
}

/** A name that answers in the other case too is looked up. */
async function listedName(look: NameLook, folder: string, name: string): Promise<string> {
  const swapped = swapCase(name);
  if (swapped === name) return name;
  const other = look.identity(join(folder, swapped));
  if (other === undefined || look.identity(join(folder, name)) !== other) return name;
  const listed = await look.list(folder);
  if (listed.includes(name)) return name;
  return listed.find((entry) => entry.toLowerCase() === name.toLowerCase()) ?? name;
}

function swapCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}
