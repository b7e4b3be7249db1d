import type { WrittenChange } from '../diagnostics/diagnostics-board.ts';
import type { DiagnosticsReport } from '../diagnostics/report.ts';
import { invertSpanEdits } from '../workspace/span.ts';
import type { LandedFile } from './landed-file.ts';
import type { Session } from './session.ts';

interface Change {
  readonly receipt: string;
  readonly files: readonly LandedFile[];
}

/**
 * Tells the servers what was written, and gives what they say of exactly that within the session's budget. Never
 * rejects: the change has landed, whatever becomes of its diagnostics.
 */
export async function checkLanded(
  session: Session,
  change: Change,
  signal: AbortSignal | undefined,
): Promise<DiagnosticsReport> {
  const changes = change.files.flatMap((file) => writtenChanges(session, change.receipt, file));
  try {
    return await session.root.diagnostics.check(changes, session.options.diagnosticsBudgetMs, signal);
  } catch (error) {
    if (signal?.aborted) return unavailable('the call was cancelled after the change had landed');
    return unavailable(error instanceof Error ? error.message : String(error));
  }
}

/**
 * What servers would say of files that are there, if the change were written: they are shown the planned text, and then
 * the present one again. Of a file that would be made or moved it can't be known.
 */
export async function checkPlanned(
  session: Session,
  change: Change,
  signal: AbortSignal | undefined,
): Promise<DiagnosticsReport> {
  const { diagnostics, documents } = session.root;
  const edited = change.files.filter(({ op }) => op === 'edit');
  if (edited.length === 0) return unavailable('a file that is not there yet can not be asked about');
  const planned = edited.flatMap((file) => writtenChanges(session, change.receipt, file));
  try {
    return await diagnostics.check(planned, session.options.diagnosticsBudgetMs, signal);
  } finally {
    const back = planned.flatMap((one): WrittenChange[] => {
      if (!one.before || !one.after) return [];
      const after = documents.next(one.before.path, one.before, one.before.text);
      return [{ ...one, before: one.after, after, edits: invertSpanEdits(one.before.text, one.edits) }];
    });
    await diagnostics.check(back, 0);
  }
}

function writtenChanges(session: Session, receipt: string, file: LandedFile): readonly WrittenChange[] {
  const { before, after, edits, op } = file;
  const head = { receipt, session: session.id };
  if (op === 'move') {
    return [
      ...(before ? [{ ...head, before, after: undefined, edits: [] }] : []),
      ...(after ? [{ ...head, before: undefined, after, edits: [{ start: 0, end: 0, newText: after.text }] }] : []),
    ];
  }
  return before || after ? [{ ...head, before, after, edits }] : [];
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
