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

/** The name of a path whose last part is a link, relative to the root where it lies inside; `undefined` where it is none. */
export async function linkName(root: BrokerRoot, spelled: string, real: string): Promise<string | undefined> {
  const named = readPath(spelled, { root: root.root, home: undefined });
  if (named.status === 'wrong' || named.path === real) return undefined;
  const path = join(await root.store.realPath(dirname(named.path)), basename(named.path));
  if (path === real) return undefined;
  const inside = relative(root.root, path);
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

/**
 * Reads the files of a request, each once; of those at which one may be `made` it is seen how one is written there.
 * @throws StoreError as `DocumentStore.read`, but for a file that is absent
 */
export async function openFiles(
  root: BrokerRoot,
  { places, made = [] }: { readonly places: readonly NamedPlace[]; readonly made?: readonly string[] | undefined },
  signal: AbortSignal | undefined,
): Promise<FilesBefore & { readonly all: readonly FileBefore[] }> {
  const byPath = new Map<string, FileBefore>();
  const bySpelling = new Map<string, FileBefore>();
  for (const place of places) {
    const { path, spelled, link } = place;
    const isLink = link !== undefined;
    const known = byPath.get(path) ?? (await lookAt(root, place, signal));
    const isStyled = known.style !== undefined || !made.includes(spelled);
    const file = isStyled ? known : { ...known, style: await root.documents.styleOfNew(path) };
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

async function lookAt(root: BrokerRoot, place: NamedPlace, signal: AbortSignal | undefined): Promise<FileBefore> {
  const { path, shown, link } = place;
  const found = await findFile(root, place, signal);
  const style = found ? {} : { style: await root.documents.styleOfNew(path) };
  return { path, shown, isLink: link !== undefined, found, ...style };
}

async function findFile(
  root: BrokerRoot,
  { path, shown, stat }: NamedPlace,
  signal: AbortSignal | undefined,
): Promise<FoundFile | undefined> {
  const { owner, inode, links } = stat ?? {};
  const traits = { mode: stat?.mode, owner, inode, links };
  try {
    const opened = await root.documents.open(path, signal);
    if (opened.status === 'open') {
      const { content, bytes, snapshot } = opened.document;
      return { content, bytes, ...traits, text: snapshot };
    }
    const content = await root.store.read(path, signal);
    const bytes = content.kind === 'file' ? content.bytes : Buffer.from(content.text);
    const text =
      opened.status === 'binary'
        ? refuse('binary', `${shown} is a binary file. Change it with a program made for it.`)
        : refuse('encoding', `${shown}: ${opened.message}`);
    return { content, bytes, ...traits, text };
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not_found') return undefined;
    throw error;
  }
}
