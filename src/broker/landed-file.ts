import { createHash } from 'node:crypto';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { createSnapshot, type DocumentSnapshot, utf8Form } from '../workspace/document-snapshot.ts';
import { applySpanEdits, type SpanEdit } from '../workspace/span.ts';
import { byteRange } from '../workspace/text-encoding.ts';
import type { BrokerRoot } from './broker-root.ts';
import { type PlannedFile, textOf } from './change-request.ts';
import { type LineHunk, lineHunks } from './line-hunks.ts';
import type { StagedPlan } from './transaction/staged-file.ts';

/** What a change made of one file. */
export interface LandedFile {
  readonly op: 'edit' | 'create' | 'delete' | 'move';
  readonly planned: PlannedFile;
  /** Relative to the root where it lies inside; of a move, where the file is now. */
  readonly shown: string;
  /** Of a move: where it was. */
  readonly from?: string;
  /** `undefined`: there was no file, or it has no text. */
  readonly before: DocumentSnapshot | undefined;
  /** The text before, empty where there was none. */
  readonly beforeDocument: TextDocument;
  /** `undefined`: the file is gone, or has no text. */
  readonly after: DocumentSnapshot | undefined;
  readonly edits: readonly SpanEdit[];
  readonly hunks: readonly LineHunk[];
  /** Byte ranges of the hunks in the file before. */
  readonly byteRanges: readonly (readonly [number, number])[];
  readonly sha256: { readonly before: string | null; readonly after: string | null };
}

/** What the parts of a plan made of their files; first what went, since something else may have come in its place. */
export function landedFiles(root: BrokerRoot, plans: readonly StagedPlan[]): readonly LandedFile[] {
  const files = plans.map((plan) => landedFile(root, plan));
  return [...files.filter(({ op }) => op === 'delete'), ...files.filter(({ op }) => op !== 'delete')];
}

function landedFile(root: BrokerRoot, { plan, bytes }: StagedPlan): LandedFile {
  const { found, path } = plan.file;
  const target = plan.op === 'move' ? plan.to : plan.file;
  const text = found && textOf(found);
  const before = text?.status === 'text' ? text.snapshot : undefined;
  const edits = plan.op === 'remove' ? [{ start: 0, end: before?.text.length ?? 0, newText: '' }] : plan.edits;
  const hasText = before !== undefined || !found;
  const isNew = plan.op === 'write' && plan.isNew === true && !plan.bytes;
  const after =
    plan.op === 'remove' || !hasText
      ? undefined
      : root.documents.next(
          target.path,
          isNew ? plan.file.style : (before ?? plan.file.style),
          applySpanEdits(before?.text ?? '', edits),
        );
  const beforeDocument = (before ?? createSnapshot(path, '', utf8Form(), 0)).textDocument;
  const hunks = hasText ? lineHunks(beforeDocument, edits) : [];
  return {
    op: opOf(plan),
    planned: plan,
    shown: target.shown,
    ...(plan.op === 'move' && { from: plan.file.shown }),
    before,
    beforeDocument,
    after,
    edits,
    hunks,
    byteRanges: hunks.map(({ span }) => (before && found ? byteRange(found.bytes, before, span) : [0, 0])),
    sha256: { before: found ? sha256(found.bytes) : null, after: bytes ? sha256(bytes) : null },
  };
}

function opOf(plan: PlannedFile): LandedFile['op'] {
  switch (plan.op) {
    case 'write':
      return plan.file.found ? 'edit' : 'create';
    case 'remove':
      return 'delete';
    case 'move':
      return 'move';
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
