import type { FileOrigin, StoredContent, StoredStat } from '../../workspace/document-store.ts';
import type { SpanEdit } from '../../workspace/span.ts';
import type { FileBefore, PlannedFile } from '../change-request.ts';

/** One step of a change as it will be stored: all that is needed to do it, and to take it back. */
export interface StagedFile {
  /** Absolute and real. A file that is changed and then moved has several steps, and so has a path that is used again. */
  readonly path: string;
  readonly shown: string;
  /** `undefined`: there was none. */
  readonly before: StagedSide | undefined;
  /** `undefined`: the name is taken away. */
  readonly after: Pick<StagedSide, 'bytes' | 'mode' | 'owner' | 'attributes'> | undefined;
  /** Of the text before. */
  readonly edits: readonly SpanEdit[];
  /** Folders that come or go with it, outermost first. */
  readonly folders: readonly string[];
  /** Which file the name is to stand for, where that is not the one that is there. */
  readonly origin?: FileOrigin;
}

/** What stands at a path at one end of a step. */
export interface StagedSide extends Pick<StoredStat, 'mode' | 'owner' | 'inode' | 'links'> {
  readonly content: StoredContent;
  readonly bytes: Uint8Array;
  /** As `DocumentStore.attributes` gives them. */
  readonly attributes?: string;
}

/** A part of a plan, and the content that its file is to have; `undefined`: it is removed. */
export interface StagedPlan {
  readonly plan: PlannedFile;
  readonly bytes: Uint8Array | undefined;
}

/** A file as a step finds it. */
export function sideOf({ found }: FileBefore): StagedSide | undefined {
  if (!found) return undefined;
  const { content, bytes, mode, owner, inode, links } = found;
  return {
    content,
    bytes,
    ...(mode !== undefined && { mode }),
    ...(owner && { owner }),
    ...(inode !== undefined && { inode }),
    ...(links !== undefined && { links }),
  };
}

/** Whether a plan leaves all as it is: then nothing is done, and nothing told. */
export function isIdle({ plan, bytes }: StagedPlan): boolean {
  if (plan.op !== 'write' || !plan.file.found || !bytes || needsNewFile(plan)) return false;
  return Buffer.compare(plan.file.found.bytes, bytes) === 0;
}

/** Whether another file must come to stand at the path: the one that is there has other names, or other traits. */
export function needsNewFile(plan: PlannedFile): boolean {
  if (plan.op !== 'write' || !plan.isNew || plan.file.found?.content.kind !== 'file') return false;
  return (plan.file.found.links ?? 1) > 1 || plan.linkOf !== undefined || plan.mode !== undefined;
}
