import type { SpanEdit } from './span.ts';

/**
 * Where documents are kept. The disk is the default; an overlay of open editor buffers lies over it; a harness whose
 * files are reached only through its own executor passes its own. All paths are absolute.
 *
 * What goes wrong in the world is thrown as a `StoreError`; what is expected is returned.
 */
export interface DocumentStore {
  /**
   * The whole content.
   * @throws StoreError `not_found`, `is_directory`, `denied`, `too_large`, `io`
   */
  read(path: string, signal?: AbortSignal): Promise<StoredContent>;

  /** What stands at a path, following links; `undefined` where nothing does. */
  stat(path: string): Promise<StoredStat | undefined>;

  /** The same of one file, where a store can tell in microseconds: what is looked at for every answer is asked so. */
  statNow?(path: string): StoredStat | undefined;

  /**
   * The bytes of a stretch of a file, for looking at one too large to hold; fewer where the file ends.
   * @throws StoreError as `read`
   */
  readBytes(path: string, start: number, length: number): Promise<Uint8Array>;

  /**
   * The path with all links resolved; of a path that does not exist, its nearest existing folder resolved and the rest
   * as it is.
   */
  realPath(path: string): Promise<string>;

  /** The entries of a folder, in the order of their names; a byte that is no UTF-8 is shown as `\xff`. @throws StoreError as `read` */
  list(path: string): Promise<readonly StoredEntry[]>;

  /**
   * Compare and write: all of the change is stored, or nothing is.
   * @throws StoreError `read_only`, `denied`, `not_found` (the folder is gone), `io`
   */
  write(path: string, change: StoredChange, signal?: AbortSignal): Promise<StoreOutcome>;

  /**
   * Compare and remove: the file goes when it still has the content `base`, else nothing happens. Of `folders` (those
   * that a write made for it) the ones that are empty then go too.
   * @throws StoreError `denied`, `is_directory`, `io`
   */
  remove(path: string, base: StoredContent, folders?: readonly string[]): Promise<StoreOutcome>;

  /** Takes away what writers that died left beside the files of a folder; and of `made` the folders that are empty. */
  tidy?(folder: string, made?: readonly string[]): Promise<void>;

  /**
   * What belongs to a file beside content, mode and owner (access list, extended attributes), as `write` takes it;
   * `undefined`: nothing, or it can't be told.
   */
  attributes?(path: string): Promise<string | undefined>;

  /** A name that a file (`StoredStat.inode`) has below a folder; `undefined` where none is found in reasonable time. */
  nameOf?(inode: string, folder: string): Promise<string | undefined>;

  /**
   * Says no to a change that the store could not make, as far as that can be told without making it.
   * @throws StoreError as `write` and `remove`
   */
  check?(path: string, kind: ChangeKind): Promise<void>;

  /** The open buffers that this store lays over files: a search shows their text instead of what the disk has. */
  unsaved?(): readonly UnsavedBuffer[];
}

/** `path` is absolute, links resolved; there may be no file at it yet. */
export interface UnsavedBuffer {
  readonly path: string;
  readonly text: string;
}

/** What a store holds under a path: bytes of a file, or the text of an open buffer. */
export type StoredContent =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  /** An open buffer of an editor; `version` is the editor's. */
  | { readonly kind: 'buffer'; readonly text: string; readonly version: number };

/** What a store knows of a file without reading it. */
export interface StoredStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. Never decides whether a file is stale. */
  readonly mtimeMs: number;
  /** When content, name or rights changed last, which nobody can set; absent where the store does not tell. */
  readonly ctimeMs?: number;
  /** Permission bits, where the store keeps any. */
  readonly mode?: number;
  readonly owner?: FileOwner;
  /** Names of one file have the same, and no other file has it now. */
  readonly inode?: string;
  /** How many names the file has. */
  readonly links?: number;
}

/** Other content in a file, a file where none was, or a name that is taken from its file. */
export type ChangeKind = 'edit' | 'make' | 'take';

/** Whose a file is, by number. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/** One name in a folder. */
export interface StoredEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** A new content for a file, and what it was planned on. */
export interface StoredChange {
  /** What the change was planned on; `null`: there must be no file yet. */
  readonly base: StoredContent | null;
  /** The whole new content, as it goes to a file. */
  readonly bytes: Uint8Array;
  /** The same change as edits of the base's text, as it goes to a buffer. */
  readonly edits: readonly SpanEdit[];
  /** Of a new file: permission bits, owner and attributes; as its folder gives them where absent. */
  readonly mode?: number;
  readonly owner?: FileOwner;
  /** As `DocumentStore.attributes` gave them. */
  readonly attributes?: string;
  /** Absent: the file that is there gets other content, or there was none and a new one is made. */
  readonly origin?: FileOrigin;
}

/** Which file a name is to stand for, where it is not the one that it stands for now: that one's other names keep it. */
export type FileOrigin =
  | { readonly kind: 'new' }
  /**
   * The file at another path (absolute, real), which has these bytes: it gets this name too, with all that belongs to
   * it; a copy does where it can have no second name. `goes`: its old name is removed next.
   */
  | { readonly kind: 'of'; readonly path: string; readonly goes?: true };

/**
 * `changed`: the store no longer holds the base, and nothing was written. `why` is there where it holds the base still
 * but an editor did not make the change.
 */
export type StoreOutcome =
  | {
      readonly status: 'written';
      /** Folders that were made for a new file, outermost first. */
      readonly made?: readonly string[];
      /** What the file could not be given, in words: `its owner (1000:1000) could not be kept`. */
      readonly lost?: string;
      /** The old name of the file that it is has gone already. */
      readonly isMoved?: true;
    }
  | {
      readonly status: 'changed';
      readonly why?: string;
      /**
       * `at_once`: only another part of the buffer was typed in, so a new plan has good prospects. `never`: part of the
       * change may have been made, and a new plan could make it twice.
       */
      readonly again?: 'at_once' | 'never';
    };

/** What a store says (`lost`) of a file that could not be a further name of another. */
export const LINK_LOST =
  'it is a file of its own now: a hard link can not lead to another file system or mount, so its other names are another file';

/** Why a store could not do what it was asked. */
export type StoreErrorCode =
  | 'not_found'
  | 'is_directory'
  | 'exists'
  | 'denied'
  | 'read_only'
  | 'too_large'
  | 'binary'
  | 'encoding'
  | 'conflict'
  | 'io';

/** The world said no. `message` says what is wrong, with the path that was asked for, and what to do next. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
    this.code = code;
  }
}
