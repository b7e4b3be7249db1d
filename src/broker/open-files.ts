import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import type { ResolvedPath } from '../workspace/confinement.ts';
import { StoreError } from '../workspace/document-store.ts';
import { readPath } from '../workspace/path-spelling.ts';
import type { BrokerRoot } from './broker-root.ts';
import type { FileBefore, FilesBefore, FoundFile } from './change-request.ts';
import { type Refusal, refuse } from './refusal.ts';

/** A path as it was spelled, and what it leads to. */
export interface NamedPlace extends ResolvedPath {
  readonly spelled: string;
  /** Where its last part is a link: that link's name, relative to the root where it lies inside. */
  readonly link: string | undefined;
}

/** What the paths of a request lead to, or why one of them may not be named. */
export async function resolvePlaces(
  root: BrokerRoot,
  paths: readonly string[],
): Promise<{ readonly status: 'resolved'; readonly places: readonly NamedPlace[] } | Refusal> {
  const places: NamedPlace[] = [];
  for (const spelled of new Set(paths)) {
    const place = await root.confinement.resolve(spelled);
    if (place.status === 'refused') return refuse(place.code, place.message);
    places.push({ ...place, spelled, link: await linkName(root, spelled, place.path) });
  }
  return { status: 'resolved', places };
}

async function linkName(root: BrokerRoot, spelled: string, real: string): Promise<string | undefined> {
  const named = readPath(spelled, { root: root.root, home: undefined });
  if (named.status === 'wrong' || named.path === real) return undefined;
  const path = join(await root.store.realPath(dirname(named.path)), basename(named.path));
  if (path === real) return undefined;
  const inside = relative(root.root, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

/** Reads the files of a request, each once. @throws StoreError as `DocumentStore.read`, but for a file that is absent */
export async function openFiles(
  root: BrokerRoot,
  places: readonly NamedPlace[],
  signal: AbortSignal | undefined,
): Promise<FilesBefore & { readonly all: readonly FileBefore[] }> {
  const byPath = new Map<string, FileBefore>();
  const bySpelling = new Map<string, FileBefore>();
  for (const { path, shown, spelled, stat, link } of places) {
    const isLink = link !== undefined;
    const known = byPath.get(path);
    const file = known ?? (await lookAt(root, { path, shown, isLink, mode: stat?.mode }, signal));
    byPath.set(path, file);
    bySpelling.set(spelled, { ...file, isLink, ...(isLink && { link }) });
  }
  return {
    all: [...byPath.values()],
    at(spelled) {
      const file = bySpelling.get(spelled);
      if (!file) throw new RangeError(`${spelled} was not named in the request`);
      return file;
    },
  };
}

async function lookAt(
  root: BrokerRoot,
  place: Pick<NamedPlace, 'path' | 'shown'> & { readonly isLink: boolean; readonly mode: number | undefined },
  signal: AbortSignal | undefined,
): Promise<FileBefore> {
  const { path, shown, isLink } = place;
  const found = await findFile(root, place, signal);
  return { path, shown, isLink, found, ...(!found && { style: await root.documents.styleOfNew(path) }) };
}

async function findFile(
  root: BrokerRoot,
  place: { readonly path: string; readonly shown: string; readonly mode: number | undefined },
  signal: AbortSignal | undefined,
): Promise<FoundFile | undefined> {
  const { path, shown, mode } = place;
  try {
    const opened = await root.documents.open(path, signal);
    if (opened.status === 'open') {
      const { content, bytes, snapshot } = opened.document;
      return { content, bytes, mode, text: snapshot };
    }
    const content = await root.store.read(path, signal);
    const bytes = content.kind === 'file' ? content.bytes : Buffer.from(content.text);
    const text =
      opened.status === 'binary'
        ? refuse('binary', `${shown} is a binary file. Change it with a program made for it.`)
        : refuse('encoding', `${shown}: ${opened.message}`);
    return { content, bytes, mode, text };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not_found') return undefined;
    throw error;
  }
}
