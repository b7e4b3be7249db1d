/** What a root keeps between calls and processes, beside its files and never among them. */
export interface KeptState {
  /** What calls were given, saw and answered; what changes replaced and made is among it. */
  readonly blobs: Blobs;
  /** What changes replaced and made, with room of its own: reading much makes no Undo impossible. */
  readonly undo: Blobs;
  readonly changes: ChangeRecords;
  readonly journal: RecordLog;
}

/** Contents by the hash of their bytes. The oldest fall out when there is too much. */
export interface Blobs {
  /** Keeps a content and gives its SHA-256 in hex; `durable`: it is on the disk when this settles. */
  put(bytes: Uint8Array, care: 'durable' | 'plain'): Promise<string>;
  /** `undefined`: it was never kept, or fell out. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

/** One record for each change, under its receipt id. */
export interface ChangeRecords {
  /** Keeps the record of a change that is about to begin; it is on the disk when this settles. */
  begin(receipt: string, text: string): Promise<PendingRecord>;
  /** Keeps the record of a change that is done. */
  keep(receipt: string, text: string): Promise<void>;
  /** The record of a change that was done; `undefined`: none, or it fell out. */
  find(receipt: string): Promise<string | undefined>;
  /** What processes that died had begun and not ended. */
  interrupted(): Promise<readonly (PendingRecord & { readonly text: string })[]>;
}

/** The record of a change that was begun. */
export interface PendingRecord {
  /** The change is done. */
  finish(): Promise<void>;
  /** The change was undone, and leaves no record. */
  drop(): Promise<void>;
}

/** Lines that are added at the end; the oldest fall out when there are too many bytes. */
export interface RecordLog {
  append(line: string): Promise<void>;
  /** The last lines, of at most so many bytes. */
  recent(maxBytes: number): Promise<readonly string[]>;
}
