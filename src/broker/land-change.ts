import { createHash } from 'node:crypto';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { DiagnosticsReport } from '../diagnostics/report.ts';
import { createSnapshot, type DocumentSnapshot, utf8Form } from '../workspace/document-snapshot.ts';
import { StoreError } from '../workspace/document-store.ts';
import type { OpenDocument } from '../workspace/documents.ts';
import { applySpanEdits, type SpanEdit } from '../workspace/span.ts';
import { byteRange, encodeChange, encodeText } from '../workspace/text-encoding.ts';
import { type LineHunk, lineHunks } from './line-hunks.ts';
import type { MatchedVia } from './matched-via.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { Session } from './session.ts';

/** What a tool wants of one file; it is asked again when the file changed meanwhile. */
export interface ChangeRequest {
  /** As the caller spelled it. */
  readonly path: string;
  /** The receipt that late diagnostics are labelled with. */
  readonly receipt: string;
  /** Given the file as it is (`undefined`: there is none), what to write. Pure. */
  plan(before: DocumentSnapshot | undefined, shown: string): PlannedChange | Refusal;
}

export interface PlannedChange {
  readonly status: 'planned';
  /** Of the text before; for a new file one insertion at 0. */
  readonly edits: readonly SpanEdit[];
  readonly matchedVia?: MatchedVia;
  /** How it matched, in words: `shifted 4 spaces`. */
  readonly detail?: string;
  /** Kept lines (1-based, after) in which old_string had other words. */
  readonly kept?: readonly number[];
}

/** A change that is written. Its diagnostics may still be on their way. */
export interface LandedChange {
  readonly status: 'landed';
  readonly planned: PlannedChange;
  /** Relative to the root where it lies inside. */
  readonly shown: string;
  readonly before: DocumentSnapshot | undefined;
  /** The text before, empty where there was no file. */
  readonly beforeDocument: TextDocument;
  readonly after: DocumentSnapshot;
  readonly hunks: readonly LineHunk[];
  /** Byte ranges of the hunks in the file before. */
  readonly byteRanges: readonly (readonly [number, number])[];
  readonly sha256: { readonly before: string | null; readonly after: string };
  readonly diagnostics: Promise<DiagnosticsReport>;
}

/**
 * The path of one edit: lock, open, plan, encode, compare and write, tell the servers. When the store no longer holds
 * what was planned on, it is planned once more, then `stale`. A refusal leaves every byte as it was.
 */
export async function landChange(
  session: Session,
  request: ChangeRequest,
  signal?: AbortSignal,
): Promise<LandedChange | Refusal> {
  const { root } = session;
  const place = await root.confinement.resolve(request.path);
  if (place.status === 'refused') return refuse(place.code, place.message);
  return root.locks.withPathLocks([place.path], signal, async () => {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const landed = await planAndWrite(session, request, place, signal);
      if (landed !== 'changed') return landed;
    }
    return refuse('stale', `${place.shown} is being changed by something else right now. Read it again, then edit.`);
  });
}

async function planAndWrite(
  session: Session,
  request: ChangeRequest,
  place: { readonly path: string; readonly shown: string },
  signal: AbortSignal | undefined,
): Promise<LandedChange | Refusal | 'changed'> {
  const { root } = session;
  const opened = await openIfThere(session, place, signal);
  if (opened?.status === 'refused') return opened;
  const base = opened?.document;
  const before = base?.snapshot;
  const planned = request.plan(before, place.shown);
  if (planned.status === 'refused') return planned;

  const text = applySpanEdits(before?.text ?? '', planned.edits);
  const encoded = base
    ? encodeChange(base.bytes, base.snapshot.text, base.snapshot.form, planned.edits)
    : { status: 'encoded' as const, bytes: encodeText(text, utf8Form()) };
  if (encoded.status === 'refused') return refuse('encoding', `${place.shown}: ${encoded.message}`);
  signal?.throwIfAborted();
  const change = { base: base?.content ?? null, bytes: encoded.bytes, edits: planned.edits };
  const written = await root.store.write(place.path, change, signal);
  if (written.status === 'changed') return 'changed';

  const after = root.documents.next(place.path, before, text);
  const diagnostics = root.diagnostics.check(
    [{ receipt: request.receipt, session: session.id, before, after, edits: planned.edits }],
    session.options.diagnosticsBudgetMs,
    signal,
  );
  const beforeDocument = (before ?? createSnapshot(place.path, '', after.form, 0)).textDocument;
  const hunks = lineHunks(beforeDocument, planned.edits);
  return {
    status: 'landed',
    planned,
    shown: place.shown,
    before,
    beforeDocument,
    after,
    hunks,
    byteRanges: hunks.map(({ span }) => (base ? byteRange(base.bytes, base.snapshot, span) : [0, 0])),
    sha256: { before: base ? sha256(base.bytes) : null, after: sha256(encoded.bytes) },
    diagnostics,
  };
}

async function openIfThere(
  session: Session,
  place: { readonly path: string; readonly shown: string },
  signal: AbortSignal | undefined,
): Promise<{ readonly status: 'open'; readonly document: OpenDocument } | Refusal | undefined> {
  try {
    const opened = await session.root.documents.open(place.path, signal);
    if (opened.status === 'open') return opened;
    return opened.status === 'binary'
      ? refuse('binary', `${place.shown} is a binary file. Change it with a program made for it.`)
      : refuse('encoding', `${place.shown}: ${opened.message}`);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
