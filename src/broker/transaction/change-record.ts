import { z } from 'zod';
import type { Blobs } from '../../workspace/kept-state.ts';
import type { StagedFile } from './staged-file.ts';

const side = z
  .object({
    /** SHA-256 of the content, which is kept under it. */
    sha256: z.string(),
    /** Permission bits, where the store keeps any. */
    mode: z.number().optional(),
  })
  .nullable();

const changeRecord = z.object({
  version: z.literal(1),
  /** The receipt of the change. */
  receipt: z.string(),
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
    }),
  ),
});

/** What a change did, file by file, so that it can be taken back: at once, after a crash, or by Undo. */
export type ChangeRecord = z.infer<typeof changeRecord>;
export type ChangedFile = ChangeRecord['files'][number];

/** Keeps the contents before and after, and gives the record that names them. */
export async function recordChange(
  blobs: Blobs,
  change: { readonly receipt: string; readonly files: readonly StagedFile[]; readonly care: 'durable' | 'plain' },
): Promise<ChangeRecord> {
  const files: ChangedFile[] = [];
  for (const { path, before, after, folders, movedFrom } of change.files) {
    files.push({
      path,
      before: before ? { sha256: await blobs.put(before.bytes, change.care), ...modeOf(before) } : null,
      after: after ? { sha256: await blobs.put(after.bytes, change.care), ...modeOf(after) } : null,
      folders: [...folders],
      ...(movedFrom !== undefined && { movedFrom }),
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

function modeOf({ mode }: { readonly mode?: number }): { mode?: number } {
  return mode === undefined ? {} : { mode };
}
