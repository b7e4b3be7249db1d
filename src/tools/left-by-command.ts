import { join, relative } from 'node:path';
import { type JournalRecord, parseJournalLine, type SeenFile, type UnkeptFile } from '../broker/journal-record.ts';
import type { Receipt } from '../broker/receipt.ts';
import type { Session } from '../broker/session.ts';
import { isWithin } from '../workspace/deny-list.ts';
import { StoreError } from '../workspace/document-store.ts';
import type { KeptState } from '../workspace/kept-state.ts';
import { LOOK_BUDGETS } from '../workspace/look-budgets.ts';
import { MAX_CHANGED_FILES, TICK_MS } from '../workspace/shell/changed-files.ts';
import { changeTime } from '../workspace/shell/file-listing.ts';

/** Of one file, and of all that one command left. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
/** Of the end of the journal, which tells of the files that earlier processes knew. */
const MAX_JOURNAL_BYTES = 1024 * 1024;
const MAX_KNOWN = 2000;
const STATS_AT_ONCE = 64;

/** What the journal last knew of a file, and when, in milliseconds since 1970. */
interface Known {
  readonly sha256: string | null;
  readonly asOf: number;
}

/** By absolute path. */
const knownFiles = new WeakMap<KeptState, Promise<Map<string, Known>>>();

/**
 * What a command left of the files that it changed, as far as can be told in bounded time: those that were seen to be
 * changed, and of the files that the journal knows those that are gone or other now. Contents are kept.
 */
export async function leftByCommand(
  session: Session,
  { changed, running = [] }: Receipt,
): Promise<NonNullable<JournalRecord['left']>> {
  const { root } = session;
  const own = await ownChanges(session);
  const paths = new Set([...(changed ?? []).map((path) => join(root.root, path)), ...own.paths]);
  const files: SeenFile[] = [];
  const unkept: UnkeptFile[] = [];
  let room = MAX_KEPT_BYTES;
  for (const path of paths) {
    const shown = relative(root.root, path);
    const bytes = await bytesAt(session, path, Math.min(room, MAX_FILE_BYTES));
    if (typeof bytes === 'string') {
      unkept.push({ path: shown, why: bytes });
      continue;
    }
    const hash = bytes ? await root.kept.blobs.put(bytes, 'plain') : null;
    // Written just before it was last looked at, and the same since.
    if (own.known.get(path)?.sha256 === hash) continue;
    room -= bytes?.length ?? 0;
    files.push({ path: shown, sha256: hash });
  }
  // A file may stand in the place of a folder that is gone, and the other way round.
  files.sort((a, b) => Number(a.sha256 !== null) - Number(b.sha256 !== null));
  // What runs on goes on changing files.
  const isOver = running.length === 0 && changed !== undefined;
  // What is gone may be elsewhere, with its old time.
  const isMoved = files.some(({ sha256 }) => sha256 === null);
  const complete = isOver && own.isAll && !isMoved && changed.length < MAX_CHANGED_FILES;
  return { files, unkept, complete };
}

/** A call that is in the journal now: what it says of files is what is known of them. */
export function noteKnown(session: Session, record: JournalRecord): void {
  // Before the first command of a process nobody asks.
  void knownFiles.get(session.root.kept)?.then((known) => addKnown(known, record));
}

/** What the journal knows, and of the files of the root those that may not be as it knows them. */
async function ownChanges({ root }: Session) {
  const { clock, kept, looks = LOOK_BUDGETS } = root;
  const reading = knownFiles.get(kept) ?? readKnown(kept);
  knownFiles.set(kept, reading);
  const known = await reading;
  const paths: string[] = [];
  // Where each look is a command on another machine they would take longer than the command itself.
  if (root.far) return { known, paths, isAll: false };
  const until = clock.now() + looks.changedMs;
  let isAll = true;
  // What was known last is asked for first: it is what the run is about.
  const asked = [...known].filter(([path]) => isWithin(root.root, path) && root.confinement.allows(path)).reverse();
  for (let at = 0; at < asked.length; at += STATS_AT_ONCE) {
    if (clock.now() > until) return { known, paths, isAll: false };
    const some = asked.slice(at, at + STATS_AT_ONCE);
    // What can't be looked at may have changed.
    const stats = await Promise.all(some.map(([path]) => root.store.stat(path).catch(() => 'unreadable' as const)));
    for (const [index, [path, { sha256, asOf }]] of some.entries()) {
      const stat = stats[index];
      if (stat === 'unreadable') isAll = false;
      else if (stat?.kind !== 'file' ? sha256 !== null : sha256 === null || changeTime(stat) >= asOf - TICK_MS)
        paths.push(path);
    }
  }
  return { known, paths, isAll };
}

async function readKnown(kept: KeptState): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for (const line of await kept.journal.recent(MAX_JOURNAL_BYTES)) {
    const record = parseJournalLine(line);
    if (record) addKnown(known, record);
  }
  return known;
}

function addKnown(known: Map<string, Known>, record: JournalRecord): void {
  const asOf = Date.parse(record.time);
  const add = (path: string, sha256: string | null): void => {
    const absolute = path.startsWith('/') ? path : join(record.root, path);
    // What was known last falls out last.
    known.delete(absolute);
    known.set(absolute, { sha256, asOf });
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  };
  for (const { path, sha256 } of [...record.looked, ...(record.left?.files ?? [])]) add(path, sha256);
  for (const { path, from, after } of record.dry_run ? [] : record.files) {
    if (from !== undefined) add(from, null);
    add(path, after);
  }
}

async function bytesAt(
  { root }: Session,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | 'too_large' | 'unreadable' | undefined> {
  try {
    const stat = await root.store.stat(path);
    if (stat?.kind !== 'file') return undefined;
    if (stat.size > maxBytes) return 'too_large';
    const content = await root.store.read(path);
    return content.kind === 'file' ? content.bytes : Buffer.from(content.text);
  } catch (error) {
    if (error instanceof StoreError) return error.code === 'not_found' ? undefined : 'unreadable';
    throw error;
  }
}
