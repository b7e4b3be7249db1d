import { dirname, join } from 'node:path';
import type { BrokerRoot } from '../broker/broker-root.ts';
import { type Refusal, refuse } from '../broker/refusal.ts';
import { isWithin } from '../workspace/deny-list.ts';
import { type DocumentStore, StoreError } from '../workspace/document-store.ts';
import { localRun } from '../workspace/local-run.ts';
import { createScratch } from '../workspace/search/disk-scratch.ts';
import type { FileFilter } from '../workspace/search/file-filter.ts';
import { hasWildcard } from '../workspace/search/glob-pattern.ts';
import type { SearchPorts } from '../workspace/search/grep.ts';
import { isWideFolder } from '../workspace/search/local-wide-root.ts';
import { findRipgrep } from '../workspace/search/ripgrep.ts';
import type { SearchPlace } from '../workspace/search/search-request.ts';
import { outputFolder } from '../workspace/shell/local-output-folder.ts';
import { findNamedPath } from './named-path.ts';
import type { ToolCall } from './tool.ts';

/** Milliseconds that one search may take; then it answers with what it has. */
export const SEARCH_BUDGET_MS = 20_000;

/** What a search of a folder (the root where none is given) runs with, or why there is none. */
export async function searchPorts(
  call: ToolCall,
  folder?: string,
): Promise<{ status: 'ready'; ports: SearchPorts } | Refusal> {
  const { root, store, clock, looks } = call.session.root;
  const { run, far } = searchedBy(call, folder);
  const search = await findRipgrep(run, root, () => far?.putRipgrep());
  if (search.status === 'missing') return refuse('unavailable', search.message);
  return {
    status: 'ready',
    ports: {
      ripgrep: search.ripgrep,
      store,
      clock,
      createScratch: far?.createScratch ?? createScratch,
      ...(far && { startMs: far.startMs }),
      ...(looks && { looks }),
    },
  };
}

/** Where files are elsewhere, what their commands printed is here all the same. */
function searchedBy(call: ToolCall, folder: string | undefined): Pick<BrokerRoot, 'run' | 'far'> {
  const { root, run, far } = call.session.root;
  const isHere = far && folder !== undefined && isWithin(outputFolder(root), folder);
  return isHere ? { run: localRun } : { run, ...(far && { far }) };
}

/** Whether a folder stands there; what can be no name is none. */
export function standsFolder(store: DocumentStore, path: string): Promise<boolean> {
  return stands(store, path, 'directory');
}

/** The same of a file. */
export function standsFile(store: DocumentStore, path: string): Promise<boolean> {
  return stands(store, path, 'file');
}

async function stands(store: DocumentStore, path: string, kind: 'file' | 'directory'): Promise<boolean> {
  try {
    return (await store.stat(path))?.kind === kind;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

/** Where a search begins, as it was named. */
export interface NamedPlace extends SearchPlace {
  readonly status: 'place';
  /** As the caller is shown it. */
  readonly shown: string;
  readonly note: string | undefined;
}

/** Windows on the kernel: files without end, and devices. A search of the whole machine leaves them out, and says so. */
const KERNEL = ['/proc', '/sys', '/dev'];

/** Globs that leave the kernel's own folders out of a search of the whole machine. */
export function kernelGlobs(folder: string): readonly string[] {
  return folder === '/' ? KERNEL.map((path) => `!${path}`) : [];
}

/** What an answer says of them. */
export function kernelNote(folder: string): readonly string[] {
  return folder === '/' ? [`${KERNEL.join(', ')} not searched`] : [];
}

/** The folder or file that a caller named, the root where it named none. */
export async function findSearchPlace(call: ToolCall, path: string | undefined): Promise<NamedPlace | Refusal> {
  const { root } = call.session.root;
  if (path === undefined || path === '') {
    if (!isWideFolder(root)) return { status: 'place', folder: root, target: './', shown: '.', note: undefined };
    return refuse('invalid_arguments', `the root is ${root}: a search of all of it may never end. Name a path in it.`);
  }
  const found = await findNamedPath(call, path);
  if (found.status === 'refused') {
    if (found.code !== 'not_found' || !hasWildcard(path)) return found;
    return refuse('not_found', `${path}: path takes one folder or file. Put a pattern into glob.`);
  }
  const { shown, note } = found;
  switch (found.stat.kind) {
    case 'directory':
      return { status: 'place', folder: found.path, target: './', shown, note };
    case 'file': {
      const folder = dirname(found.path);
      return { status: 'place', folder, target: `./${found.path.slice(join(folder, '/').length)}`, shown, note };
    }
    case 'other':
      return refuse('io', `${shown} is a device, a pipe or a socket, which can't be searched. Name a file or folder.`);
  }
}

/** A filter of a folder's files that also leaves out what the deny list names: ripgrep's globs tell case apart. */
export function withoutDenied(filter: FileFilter, folder: string, call: ToolCall): FileFilter {
  const { confinement } = call.session.root;
  if (confinement.deniedGlobs(folder).length === 0) return filter;
  const { accepts } = filter;
  const isOut = (path: string): boolean => confinement.isDenied(join(folder, path));
  return { ...filter, accepts: (path) => !isOut(path) && (accepts === undefined || accepts(path)) };
}
