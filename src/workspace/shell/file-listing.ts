import { dirname, join } from 'node:path';
import type { DocumentStore, StoredStat } from '../document-store.ts';
import type { SearchPorts } from '../search/grep.ts';
import { listFiles } from '../search/list-files.ts';
import { WALK_ARGS } from '../search/search-request.ts';

/** The files below a folder, ignored ones left out, as they were at one moment. */
export interface FileListing {
  /** From the folder. */
  readonly paths: ReadonlySet<string>;
  /** The folders that hold them, and when each last got or lost a name. */
  readonly folders: ReadonlyMap<string, number>;
}

/** What a look takes: its ports, and milliseconds. */
export type LookPorts = SearchPorts & { readonly budgetMs: number };

/** More are not kept from one command to the next. */
const MAX_KEPT = 200_000;
const STATS_AT_ONCE = 256;

/**
 * The files as they are now: `known` where no folder of it has got or lost a name since, which is cheaper than to list
 * them anew. `undefined` where that takes too long, or where there are too many.
 */
export async function currentListing(
  folder: string,
  known: FileListing | undefined,
  ports: LookPorts,
): Promise<FileListing | undefined> {
  const until = ports.clock.now() + ports.budgetMs;
  if (known && (await isCurrent(folder, known, { ...ports, until }))) return known;
  const budgetMs = Math.max(0, until - ports.clock.now());
  const listed = await listNames(folder, [], { ...ports, budgetMs });
  return listed && listingOf(folder, listed, { ...ports, until });
}

/** All names, in ripgrep's order; `undefined` where it takes too long. */
export async function listNames(
  folder: string,
  order: readonly string[],
  { ripgrep, budgetMs }: LookPorts,
): Promise<readonly string[] | undefined> {
  const args = [...WALK_ARGS, '--files', '--null', ...order];
  const { paths, count, by } = await listFiles({ ripgrep, args, cwd: folder, budgetMs, accepts: undefined }, undefined);
  return by === 'itself' && count === paths.length ? paths.slice() : undefined;
}

/** The names of the files that were written last, at least `most` where there are as many. */
export async function newestNames(
  folder: string,
  most: number,
  { ripgrep, budgetMs }: LookPorts,
): Promise<readonly string[] | undefined> {
  const args = [...WALK_ARGS, '--files', '--null', '--sortr=modified'];
  const listing = { ripgrep, args, cwd: folder, budgetMs, accepts: undefined, most };
  const { paths, by } = await listFiles(listing, undefined);
  return by === 'budget' ? undefined : paths.slice();
}

/** With the times of all folders; `undefined` where they could not all be looked at by then. */
export async function listingOf(
  folder: string,
  names: readonly string[],
  ports: Pick<LookPorts, 'store' | 'clock'> & { readonly until: number },
): Promise<FileListing | undefined> {
  if (names.length > MAX_KEPT) return undefined;
  const folders = new Set(['.']);
  let last = '';
  for (const name of names) {
    // Those of one folder stand mostly together.
    const own = name.slice(0, Math.max(0, name.lastIndexOf('/')));
    if (own === last) continue;
    for (let at = dirname(name); !folders.has(at); at = dirname(at)) folders.add(at);
    last = own;
  }
  const stats = await statAll(folder, [...folders], ports);
  return (
    stats && { paths: new Set(names), folders: new Map([...stats].map(([path, stat]) => [path, changeTime(stat)])) }
  );
}

/** What stands at each of these paths; `undefined` where the time was up before all were looked at. */
export async function statAll(
  folder: string,
  paths: readonly string[],
  {
    store,
    clock,
    until,
  }: { readonly store: DocumentStore; readonly clock: SearchPorts['clock']; readonly until: number },
): Promise<ReadonlyMap<string, StoredStat | undefined> | undefined> {
  const stats = new Map<string, StoredStat | undefined>();
  for (let at = 0; at < paths.length; at += STATS_AT_ONCE) {
    if (clock.now() > until) return undefined;
    const some = paths.slice(at, at + STATS_AT_ONCE);
    // What can't be looked at stands there all the same, and nothing is known of its times.
    const found = await Promise.all(some.map((path) => store.stat(join(folder, path)).catch(() => UNREADABLE)));
    for (const [index, path] of some.entries()) stats.set(path, found[index]);
  }
  return stats;
}

const UNREADABLE: StoredStat = { kind: 'other', size: 0, mtimeMs: 0 };

/** When content, name or rights last changed, in milliseconds since 1970; where the store does not tell, the content. */
export function changeTime(stat: StoredStat | undefined): number {
  return stat === undefined ? 0 : Math.max(stat.mtimeMs, stat.ctimeMs ?? 0);
}

/** Whether no folder has got or lost a name since. */
export async function isCurrent(
  folder: string,
  known: FileListing,
  ports: Pick<LookPorts, 'store' | 'clock'> & { readonly until: number },
): Promise<boolean> {
  const stats = await statAll(folder, [...known.folders.keys()], ports);
  if (!stats) return false;
  for (const [path, time] of known.folders) if (changeTime(stats.get(path)) !== time) return false;
  return true;
}
