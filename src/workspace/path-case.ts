import { basename, dirname, join } from 'node:path';

const ASCII = /^[\x20-\x7e]+$/;

/** What a file system says of names. */
export interface NameLook {
  /** What tells one file from another, links followed; `undefined`: there is none. */
  identity(path: string): string | undefined;
  list(folder: string): Promise<readonly string[]>;
}

/**
 * Folders that are spelled as they are listed and in which case counts, each with its identity when that was seen. It
 * spares a look at every name on the way: a folder that is another one by now is looked at again.
 */
export type CaseMemory = Map<string, string>;

const MAX_REMEMBERED = 2000;

/**
 * An absolute path with each name spelled as its folder lists it, where that folder does not tell case apart: so two
 * spellings of one file are one path. Where case counts it is the path as it was.
 */
export async function spelledAsListed(path: string, look: NameLook, memory: CaseMemory = new Map()): Promise<string> {
  const above = dirname(path);
  if (above === path) return path;
  const known = memory.get(above);
  if (known !== undefined && look.identity(above) === known) return path;
  const folder = await spelledAsListed(above, look, memory);
  const name = basename(path);
  const seen = lookAtCase(look, folder, name);
  if (seen === 'counts') remember(memory, folder, look.identity(folder));
  return join(folder, seen === 'folded' ? await listedName(look, folder, name) : name);
}

/** `counts`: the folder tells case apart. `folded`: the name answers in the other case too. */
function lookAtCase(look: NameLook, folder: string, name: string): 'counts' | 'folded' | 'unknown' {
  const swapped = swapCase(name);
  if (swapped === name) return 'unknown';
  const other = look.identity(join(folder, swapped));
  const own = other === undefined && !ASCII.test(name) ? undefined : look.identity(join(folder, name));
  if (other !== undefined && own === other) return 'folded';
  // Beyond ASCII the other case is not the same everywhere, so that it is not there says little.
  return own !== undefined && ASCII.test(name) ? 'counts' : 'unknown';
}

async function listedName(look: NameLook, folder: string, name: string): Promise<string> {
  const listed = await look.list(folder);
  if (listed.includes(name)) return name;
  return listed.find((entry) => entry.toLowerCase() === name.toLowerCase()) ?? name;
}

function remember(memory: CaseMemory, folder: string, identity: string | undefined): void {
  if (identity === undefined) return;
  if (memory.size >= MAX_REMEMBERED) memory.clear();
  memory.set(folder, identity);
}

function swapCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}
