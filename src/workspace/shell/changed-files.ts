import { dirname } from 'node:path';
import type { StoredStat } from '../document-store.ts';
import {
  changeTime,
  type FileListing,
  isCurrent,
  type LookPorts,
  listingOf,
  listNames,
  newestNames,
  statAll,
} from './file-listing.ts';

/** Files that a command changed, as far as a look of bounded length can tell. */
export type ChangedFiles =
  | {
      readonly status: 'known';
      /** From the folder that was looked at: written, made, or under another name; newest first. */
      readonly paths: readonly string[];
      /** Those that are there no more; `unknown` where it is not known what was there before. */
      readonly gone: readonly string[] | 'unknown';
      /** There are no more. */
      readonly isAll: boolean;
    }
  | { readonly status: 'unknown' };

/** There may be more where so many are known. */
export const MAX_CHANGED_FILES = 50;
/** Times of files come from a clock that may lag behind by a tick, in milliseconds. */
export const TICK_MS = 10;
const SECOND_MS = 1000;
/** Of more files not each is looked at: then one whose time was set back, as by `touch -d`, is not seen. */
const MAX_LOOKED_AT = 10_000;

interface ChangeLook {
  readonly changed: ChangedFiles;
  /** The files as they are now, for the look after the next command. */
  readonly listing: FileListing | undefined;
}

/**
 * Looks for files that changed since a moment (milliseconds since 1970), and for what is gone of those that were there
 * `before`; ignored ones are passed over. What a file's own time says can be set, so its change time is looked at. What
 * changes within `TICK_MS` after that moment may have a time before it.
 */
export async function changedFiles(
  folder: string,
  { since, before }: { readonly since: number; readonly before: FileListing | undefined },
  ports: LookPorts,
): Promise<ChangeLook> {
  const until = ports.clock.now() + ports.budgetMs;
  const looked = { ...ports, until };
  const isSmall = before !== undefined && before.paths.size <= MAX_LOOKED_AT;
  // Where no folder got or lost a name, and where it is not known what was there, those that were written last will do.
  const hasSameNames = !isSmall && (before === undefined || (await isCurrent(folder, before, looked)));
  const names = hasSameNames
    ? await newestNames(folder, MAX_CHANGED_FILES + 1, ports)
    : await listNames(folder, isSmall ? [] : ['--sortr=modified'], ports);
  const unknown: ChangeLook = { changed: { status: 'unknown' }, listing: undefined };
  if (!names) return unknown;
  const stats = isSmall && names.length <= MAX_LOOKED_AT ? await statAll(folder, names, looked) : await statNewest();
  if (!stats) return unknown;
  const listing = hasSameNames ? before : await listingOf(folder, names, looked);
  const newest = [...stats].filter(([path, stat]) => stat && (isNew(stat) || hasMoved(path))).sort(byTime);
  const gone = await goneFrom(folder, { before, names: hasSameNames ? before?.paths : names }, looked);
  if (gone === undefined) return unknown;
  const room = MAX_CHANGED_FILES - (gone === 'unknown' ? 0 : Math.min(gone.length, MAX_CHANGED_FILES / 2));
  const paths = newest.slice(0, room).map(([path]) => path);
  const shownGone = gone === 'unknown' ? gone : gone.slice(0, MAX_CHANGED_FILES - paths.length);
  const isAll = paths.length === newest.length && shownGone.length === gone.length;
  return { changed: { status: 'known', paths, gone: shownGone, isAll }, listing };

  function isNew(stat: StoredStat): boolean {
    // A store that tells no change time tells seconds.
    return changeTime(stat) >= since - (stat.ctimeMs === undefined ? SECOND_MS : 0);
  }

  /** A folder that was moved takes its files along, whose own times stay as they were. */
  function hasMoved(path: string): boolean {
    if (!before || !listing || before.paths.has(path)) return false;
    for (let at = dirname(path); at !== '.'; at = dirname(at)) {
      if (!before.folders.has(at) && (listing.folders.get(at) ?? 0) >= since) return true;
    }
    return false;
  }

  /** Of those that were written last, and of names that are new, where each look may take long. */
  async function statNewest() {
    const others = before ? (names ?? []).filter((name) => !before.paths.has(name)).slice(0, MAX_LOOKED_AT) : [];
    const found = new Map(await statAll(folder, others, looked));
    for (const name of (names ?? []).slice(0, MAX_CHANGED_FILES + 1)) {
      const stat = (await statAll(folder, [name], looked))?.get(name);
      if (ports.clock.now() > until) return undefined;
      if (stat && !isNew(stat)) break;
      found.set(name, stat);
    }
    return found;
  }
}

function byTime(
  [onePath, one]: readonly [string, StoredStat | undefined],
  [otherPath, other]: readonly [string, StoredStat | undefined],
): number {
  return changeTime(other) - changeTime(one) || (onePath < otherPath ? -1 : 1);
}

/** Those of the files before that no longer stand there; what an ignore file hides now does. */
async function goneFrom(
  folder: string,
  { before, names }: { readonly before: FileListing | undefined; readonly names: Iterable<string> | undefined },
  ports: LookPorts & { readonly until: number },
): Promise<readonly string[] | 'unknown' | undefined> {
  if (!before) return 'unknown';
  if (names === before.paths) return [];
  const now = new Set(names);
  const missing = [...before.paths].filter((path) => !now.has(path));
  const stats = await statAll(folder, missing, ports);
  return stats && missing.filter((path) => stats.get(path) === undefined).sort();
}
