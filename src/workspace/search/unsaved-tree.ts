import { dirname, join, relative, sep } from 'node:path';
import { type DocumentStore, StoreError, type UnsavedBuffer } from '../document-store.ts';
import type { CreateScratch, Scratch } from './disk-scratch.ts';

/** Unsaved buffers as files, so that ripgrep itself searches them: one dialect of patterns, globs and ignore rules. */
interface UnsavedTree extends Scratch {
  /** The folder in it that stands for the one that is searched. */
  readonly place: string;
  /** The buffers' paths from the folder that is searched, `/` between their parts. */
  readonly paths: ReadonlySet<string>;
}

const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];

/** The tree of the unsaved buffers inside a folder, with the ignore files above them; `undefined` where there are none. */
export async function createUnsavedTree(
  { store, createScratch }: { readonly store: DocumentStore; readonly createScratch: CreateScratch },
  folder: string,
): Promise<UnsavedTree | undefined> {
  const inside = (path: string): string => relative(folder, path).split(sep).join('/');
  const buffers = (store.unsaved?.() ?? []).filter(({ path }) => !inside(path).startsWith('..'));
  if (buffers.length === 0) return undefined;
  const files = new Map<string, string | Uint8Array>();
  for (const path of ignoreFilesOf(buffers)) {
    const content = await contentOf(store, path);
    if (content !== undefined) files.set(path, content);
  }
  for (const { path, text } of buffers) files.set(path, text);
  const scratch = await createScratch(files);
  return { ...scratch, place: join(scratch.folder, folder), paths: new Set(buffers.map(({ path }) => inside(path))) };
}

function ignoreFilesOf(buffers: readonly UnsavedBuffer[]): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { path } of buffers) {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      for (const name of IGNORE_FILES) paths.add(join(folder, name));
      if (folder === dirname(folder)) break;
    }
  }
  return paths;
}

async function contentOf(store: DocumentStore, path: string): Promise<string | Uint8Array | undefined> {
  try {
    if ((await store.stat(path))?.kind !== 'file') return undefined;
    const content = await store.read(path);
    return content.kind === 'file' ? content.bytes : content.text;
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
