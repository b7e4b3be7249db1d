import type { JournalRecord } from '../../broker/journal-record.ts';
import { CallCollector, type CallList, type CallRef } from './call-list.ts';
import { shortName } from './short-name.ts';

/** A file that calls met resistance on. */
export interface FoughtFile {
  readonly path: string;
  readonly edits: number;
  readonly refusals: number;
  readonly undone: number;
  /** How often it was found to hold something else than emend's last change had left there. */
  readonly changedByOthers: number;
  readonly calls: CallList;
}

interface Counts {
  edits: number;
  refusals: number;
  undone: number;
  changedByOthers: number;
  readonly calls: CallCollector;
}

const MAX_FILES = 4000;
const MAX_SHOWN = 15;
const weightOf = (file: Counts): number => file.refusals + file.undone + file.changedByOthers;

/**
 * Counts by path, over all journals. When there are too many paths, the half with the fewest fights is forgotten and
 * `forgotten` says how many: a file that comes again later is then counted from there on.
 */
export function createFoughtFiles() {
  const files = new Map<string, Counts>();
  let left = new Map<string, string | null>();
  let forgotten = 0;

  const at = (path: string): Counts => {
    const key = shortName(path, 300);
    const known = files.get(key);
    if (known) return known;
    if (files.size >= MAX_FILES) {
      const weakest = [...files].sort(([, a], [, b]) => weightOf(a) - weightOf(b) || a.edits - b.edits);
      for (const [name] of weakest.slice(0, MAX_FILES / 2)) files.delete(name);
      forgotten += MAX_FILES / 2;
    }
    const made = { edits: 0, refusals: 0, undone: 0, changedByOthers: 0, calls: new CallCollector() };
    files.set(key, made);
    return made;
  };

  return {
    add(record: JournalRecord, ref: CallRef): void {
      const isFailure = !record.ok;
      for (const { path, sha256 } of record.looked) {
        const expected = left.get(path);
        const isOther = expected !== undefined && expected !== sha256;
        if (!isFailure && !isOther) continue;
        const file = at(path);
        if (isFailure) file.refusals += 1;
        if (isOther) file.changedByOthers += 1;
        file.calls.add(ref);
        if (isOther) left.set(path, sha256);
      }
      const changed = record.dry_run ? [] : record.files;
      // Another file may have come where one was moved away.
      for (const { from } of changed) if (from !== undefined) left.set(from, null);
      for (const { path, after } of changed) {
        const file = at(path);
        if (record.tool === 'Undo') {
          file.undone += 1;
          file.calls.add(ref);
        } else file.edits += 1;
        if (left.size < MAX_FILES) left.set(path, after);
      }
    },
    endJournal(): void {
      left = new Map();
    },
    result(): { readonly files: readonly FoughtFile[]; readonly forgotten: number } {
      const fought = [...files].filter(([, file]) => weightOf(file) > 0);
      fought.sort(([, a], [, b]) => weightOf(b) - weightOf(a) || b.edits - a.edits);
      return { forgotten, files: fought.slice(0, MAX_SHOWN).map(([path, counts]) => ({ path, ...counts })) };
    },
  };
}
