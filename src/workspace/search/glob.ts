import { join } from 'node:path';
import { type DocumentStore, StoreError } from '../document-store.ts';
import type { Complaints } from './complaints.ts';
import type { FileFilter } from './file-filter.ts';
import type { SearchPorts } from './grep.ts';
import { listFiles } from './list-files.ts';
import type { ListedPaths } from './listed-paths.ts';
import { newestFirst } from './newest-first.ts';
import { passedOverBudget } from './passed-over.ts';
import { filterArgs, WALK_ARGS } from './search-request.ts';
import { createUnsavedTree } from './unsaved-tree.ts';

/** Which files are looked for, where, and for how long. */
export interface GlobRequest {
  /** Absolute, links resolved. */
  readonly folder: string;
  readonly filter: FileFilter;
  readonly ignored: 'out' | 'in';
  /** Links to folders and files are followed. */
  readonly links?: 'followed';
  readonly limit: number;
  /** Milliseconds for the whole search. */
  readonly budgetMs: number;
}

/** The files that were found, and how sure that is. */
export interface GlobFindings {
  /** From the folder that was searched, newest first, ties by path. */
  readonly paths: readonly string[];
  /** Of all files that match, as far as the scan went. */
  readonly total: number;
  /** `unordered`: the time was up; these are some files, and there may be newer ones. */
  readonly scan: 'whole' | 'unordered';
  /** How many of them lie where: the first folder of each path, the fullest first. */
  readonly folders: readonly { readonly folder: string; readonly files: number }[];
  readonly complaints: Complaints;
  /** Ignored files that match too; `undefined` where it was not looked for them. */
  readonly ignored: { readonly count: number; readonly isComplete: boolean } | undefined;
}

const FEW = 3;
/** A listing that took longer is not made much longer by a second look. */
const LONG_MS = 1000;
/** Of the budget, what the ordered scan gets: it says nothing until it has seen everything. */
const ORDERED_SHARE = 0.8;

/** Lists files by pattern with ripgrep: newest first, ties by path. */
export async function glob(request: GlobRequest, ports: SearchPorts, signal?: AbortSignal): Promise<GlobFindings> {
  const startedAt = ports.clock.now();
  const { filter, folder } = request;
  const scratch = filter.ignoreFile && (await ports.createScratch(new Map([['ignore', filter.ignoreFile]])));
  try {
    const filtered = (isIgnoreOff: boolean): readonly string[] => [
      ...WALK_ARGS,
      '--files',
      '--null',
      ...(request.links === 'followed' ? ['--follow'] : []),
      ...filterArgs(filter, { isIgnoreOff, ignoreFile: scratch ? `${scratch.folder}/ignore` : undefined }),
    ];
    const list = (args: readonly string[], cwd: string, budgetMs: number) =>
      listFiles({ ripgrep: ports.ripgrep, args, cwd, budgetMs, accepts: filter.accepts }, signal);

    const args = filtered(request.ignored === 'in');
    const ordered = await list([...args, '--sortr=modified'], folder, request.budgetMs * ORDERED_SHARE);
    const isOrdered = ordered.by === 'itself';
    const found = isOrdered ? ordered : await list(args, folder, request.budgetMs * (1 - ORDERED_SHARE));
    const spentMs = ports.clock.now() - startedAt < LONG_MS ? 0 : ports.clock.now() - startedAt;

    const unsaved = await unsavedPaths(args, request, ports, signal);
    const fresh = unsaved.length === 0 ? [] : newOnes(unsaved, found.paths.slice());
    const modified = (path: string) => modifiedAt(join(folder, path), ports.store);
    const wanted = Math.max(0, request.limit - fresh.length);
    const shown = isOrdered ? await newestFirst(found.paths, wanted, modified) : found.paths.slice(0, wanted);
    const total = found.count + fresh.length;

    const isLittle = isOrdered && total <= FEW && request.ignored === 'out';
    const all = isLittle && (await list(filtered(true), folder, passedOverBudget(spentMs, ports)));
    return {
      paths: [...fresh, ...shown],
      total,
      scan: isOrdered ? 'whole' : 'unordered',
      folders: total > request.limit ? foldersOf(fresh, found.paths) : [],
      complaints: found.complaints,
      ignored: all ? { count: Math.max(0, all.count - found.count), isComplete: all.by === 'itself' } : undefined,
    };
  } finally {
    if (scratch) await scratch.remove();
  }
}

/** What is gone or may not be looked at has no time. */
async function modifiedAt(path: string, store: DocumentStore): Promise<number> {
  try {
    return (await store.stat(path))?.mtimeMs ?? 0;
  } catch (error) {
    if (error instanceof StoreError) return 0;
    throw error;
  }
}

function newOnes(paths: readonly string[], known: readonly string[]): readonly string[] {
  const all = new Set(known);
  return paths.filter((path) => !all.has(path)).sort();
}

function foldersOf(fresh: readonly string[], found: ListedPaths): GlobFindings['folders'] {
  const files = new Map(found.folders());
  for (const path of fresh) {
    const folder = path.includes('/') ? path.slice(0, path.indexOf('/') + 1) : './';
    files.set(folder, (files.get(folder) ?? 0) + 1);
  }
  return [...files].map(([folder, count]) => ({ folder, files: count })).sort((a, b) => b.files - a.files);
}

/** Buffers that match, also those that are no file yet. */
async function unsavedPaths(
  args: readonly string[],
  request: GlobRequest,
  ports: SearchPorts,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const tree = await createUnsavedTree(ports, request.folder);
  if (!tree) return [];
  try {
    const { accepts } = request.filter;
    const listed = await listFiles(
      { ripgrep: ports.ripgrep, args, cwd: tree.place, budgetMs: request.budgetMs, accepts },
      signal,
    );
    return listed.paths.slice().filter((path) => tree.paths.has(path));
  } finally {
    await tree.remove();
  }
}
