import type { WrittenChange } from '../diagnostics/diagnostics-board.ts';
import { NOBODY } from '../diagnostics/reflow-queue.ts';
import type { DiagnosticsReport } from '../diagnostics/report.ts';
import { invertSpanEdits } from '../workspace/span.ts';
import type { LandedFile } from './landed-file.ts';
import type { Session } from './session.ts';

interface Change {
  readonly receipt: string;
  readonly files: readonly LandedFile[];
}

/**
 * Tells the servers what was written, and gives what they say of exactly that within what is left of the session's
 * budget. Never rejects: the change has landed, whatever becomes of its diagnostics.
 */
export async function checkLanded(
  session: Session,
  change: Change & { readonly spentMs: number },
  signal: AbortSignal | undefined,
): Promise<DiagnosticsReport> {
  const changes = writtenChanges(session, change);
  const leftMs = Math.max(0, session.options.diagnosticsBudgetMs - change.spentMs);
  return session.root.diagnostics
    .check(changes, leftMs, signal)
    .catch((error: unknown) =>
      unavailable(signal?.aborted ? 'the call was cancelled after the change had landed' : reasonOf(error)),
    );
}

/**
 * What servers would say if the change were written: they are shown the planned texts, and then the present ones again.
 * Where a file would be made, moved or deleted it can't be known. Never rejects.
 */
export async function checkPlanned(
  session: Session,
  change: Change,
  signal: AbortSignal | undefined,
): Promise<DiagnosticsReport> {
  const { diagnostics, documents } = session.root;
  // Where others would lead to a file that is not there yet, each of them would be told to be broken.
  if (change.files.some(({ op }) => op !== 'edit'))
    return unavailable('of files that would be made, moved or deleted it can not be known before');
  // Nobody is owed what comes late of a change that nobody made.
  const planned = writtenChanges({ id: NOBODY }, change);
  const report = await diagnostics
    .check(planned, session.options.diagnosticsBudgetMs, signal)
    .catch((error: unknown) => unavailable(reasonOf(error)));
  const back = planned.flatMap((one): WrittenChange[] => {
    if (!one.before || !one.after) return [];
    const after = documents.next(one.before.path, one.before, one.before.text);
    return [{ ...one, before: one.after, after, edits: invertSpanEdits(one.before.text, one.edits) }];
  });
  // What could not be asked is told by the report.
  await diagnostics.check(back, 0).catch(() => undefined);
  return report;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Each path once: where one file went and another came, its document has another text. */
function writtenChanges(session: Pick<Session, 'id'>, { receipt, files }: Change): readonly WrittenChange[] {
  const head = { receipt, session: session.id };
  const gone = new Map(
    files.flatMap(({ op, before }) => (before && (op === 'move' || op === 'delete') ? [[before.path, before]] : [])),
  );
  const here = files.flatMap(({ op, before, after, edits }): WrittenChange[] => {
    if (op === 'delete' || !(before || after)) return [];
    if (op === 'edit' || !after) return op === 'move' ? [] : [{ ...head, before, after, edits }];
    const replaced = gone.get(after.path);
    gone.delete(after.path);
    const whole = { start: 0, end: replaced?.text.length ?? 0, newText: after.text };
    return [{ ...head, before: replaced, after, edits: [whole] }];
  });
  const left = [...gone.values()].map((before) => ({ ...head, before, after: undefined, edits: [] }));
  return [...left, ...here];
}

function unavailable(reason: string): DiagnosticsReport {
  return {
    state: 'unavailable',
    ms: 0,
    before: null,
    unchecked: 0,
    introduced: [],
    fixed: [],
    open: [],
    servers: [{ name: 'diagnostics', version: null, state: 'unavailable', reason }],
  };
}
