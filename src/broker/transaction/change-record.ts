import * as z from 'zod';
import type { Blobs } from '../../workspace/kept-state.ts';
import type { StagedFile, StagedSide } from './staged-file.ts';

const side = z
  .object({
    /** SHA-256 of the content, which is kept under it. */
    sha256: z.string(),
    /** Permission bits, where the store keeps any. */
    mode: z.number().optional(),
    owner: z.object({ uid: z.number(), gid: z.number() }).optional(),
    /** As `StoredStat` has them. */
    inode: z.string().optional(),
    links: z.number().optional(),
    /** As `DocumentStore.attributes` gives them. */
    attributes: z.string().optional(),
  })
  .nullable();

const changeRecord = z.object({
  version: z.literal(1),
  /** The receipt of the change. */
  receipt: z.string(),
  /** The steps of the change, in the order of doing: a path may have several. */
  files: z.array(
    z.object({
      /** Absolute and real. */
      path: z.string(),
      before: side,
      after: side,
      /** Folders that were made for the file, outermost first. */
      folders: z.array(z.string()),
      /** The path that the file was moved from; it goes in the same change. */
      movedFrom: z.string().optional(),
      /** A new file took the place of the one that was there. */
      isNew: z.literal(true).optional(),
    }),
  ),
});

/** What a change did, step by step, so that it can be taken back: at once, after a crash, or by Undo. */
export type ChangeRecord = z.infer<typeof changeRecord>;

/** One file of a recorded change, as it was and as it became. */
export type ChangedFile = ChangeRecord['files'][number];

/** A file before or after a change: its content by hash, and what else belongs to it. */
export type ChangedSide = NonNullable<ChangedFile['before']>;

/** Keeps the contents before and after, and gives the record that names them. */
export async function recordChange(
  blobs: Blobs,
  change: { readonly receipt: string; readonly files: readonly StagedFile[]; readonly care: 'durable' | 'plain' },
): Promise<ChangeRecord> {
  const files: ChangedFile[] = [];
  const keep = async (one: Partial<StagedSide> & { readonly bytes: Uint8Array }): Promise<ChangedSide> => {
    const { bytes, content: _, ...traits } = one;
    return { sha256: await blobs.put(bytes, change.care), ...traits };
  };
  for (const { path, before, after, folders, origin } of change.files) {
    files.push({
      path,
      before: before ? await keep(before) : null,
      after: after ? await keep(after) : null,
      folders: [...folders],
      ...(origin?.kind === 'of' && origin.goes && { movedFrom: origin.path }),
      ...(origin && before && !(origin.kind === 'of' && origin.goes) && { isNew: true }),
    });
  }
  return { version: 1, receipt: change.receipt, files };
}

/** Reads a record; `undefined` for what another version wrote, or what was cut short. */
export function parseChangeRecord(text: string): ChangeRecord | undefined {
  try {
    return changeRecord.parse(JSON.parse(text));
  } catch {
    // It is not ours to act upon.
    return undefined;
  }
}
