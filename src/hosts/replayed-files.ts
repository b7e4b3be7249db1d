import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import type { JournalRecord, SeenFile } from '../broker/journal-record.ts';
import { isWithin } from '../workspace/deny-list.ts';
import { type DocumentStore, StoreError } from '../workspace/document-store.ts';
import type { Blobs } from '../workspace/kept-state.ts';

/** `wrong`: what could not be put there, in words. */
type PutBack =
  | { readonly status: 'put'; readonly restored: readonly string[] }
  | { readonly status: 'wrong'; readonly why: string };

/** The files of a replay's own tree, and what the journal says of them. */
export interface ReplayedFiles {
  /** Puts there what a record says was there, where something else than a replayed call had changed it. */
  putBack(record: JournalRecord, seen: readonly SeenFile[]): Promise<PutBack>;
  /** Notes what a record's call left. */
  note(record: JournalRecord): void;
  /** The files that the journal has spoken of by now, and those of them whose content is not what it says. */
  compare(): Promise<{ readonly known: number; readonly stray: readonly string[] }>;
}

/** `root` is the folder of the tree; `blobs` are the journal's. */
export function createReplayedFiles(root: string, store: DocumentStore, blobs: Blobs): ReplayedFiles {
  const last = new Map<string, string | null>();
  const inTree = (record: JournalRecord, path: string): string | undefined => {
    const name = path.startsWith('/') ? relative(record.root, path) : path;
    const moved = join(root, name);
    return isWithin(root, moved) && moved !== root ? moved : undefined;
  };
  const put = async (path: string, sha256: string | null): Promise<'as it was' | 'restored' | 'gone'> => {
    if ((await hashAt(store, path)) === sha256) return 'as it was';
    const base = await readIfThere(store, path);
    if (sha256 === null) {
      if (base) await store.remove(path, base);
      return 'restored';
    }
    const bytes = await blobs.get(sha256);
    if (!bytes) return 'gone';
    await store.write(path, { base: base ?? null, bytes, edits: [] });
    return 'restored';
  };

  return {
    async putBack(record, seen) {
      const restored: string[] = [];
      for (const { path, sha256 } of seen) {
        const moved = inTree(record, path);
        if (moved === undefined) return { status: 'wrong', why: `${path} lies outside of the root` };
        last.set(moved, sha256);
        try {
          const done = await put(moved, sha256);
          if (done === 'gone')
            return { status: 'wrong', why: `what was in ${path} is not kept: it was too large, or fell out since` };
          if (done === 'restored') restored.push(path);
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
          return { status: 'wrong', why: `what was in ${path} can't be put there: ${error.message}` };
        }
      }
      return { status: 'put', restored };
    },
    note(record) {
      const files = record.dry_run ? [] : record.files;
      const note = (path: string, sha256: string | null): void => {
        const place = inTree(record, path);
        if (place !== undefined) last.set(place, sha256);
      };
      // Another file may have come where one was moved away.
      for (const { from } of files) if (from !== undefined) note(from, null);
      for (const { path, after } of files) note(path, after);
    },
    async compare() {
      const stray: string[] = [];
      for (const [path, hash] of last) {
        // A folder is no file.
        const now = await hashAt(store, path).catch(() => null);
        if (now !== hash) stray.push(relative(root, path));
      }
      return { known: last.size, stray };
    },
  };
}

async function hashAt(store: DocumentStore, path: string): Promise<string | null> {
  const content = await readIfThere(store, path);
  return content?.kind === 'file' ? createHash('sha256').update(content.bytes).digest('hex') : null;
}

async function readIfThere(store: DocumentStore, path: string) {
  try {
    return await store.read(path);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not_found') return undefined;
    throw error;
  }
}
