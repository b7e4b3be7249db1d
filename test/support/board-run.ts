import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type BoardOptions, createDiagnosticsBoard } from '../../src/diagnostics/create-diagnostics-board.ts';
import type { DiagnosticsBoard, WrittenChange } from '../../src/diagnostics/diagnostics-board.ts';
import type { DiagnosticsReport } from '../../src/diagnostics/report.ts';
import { systemClock } from '../../src/workspace/clock.ts';
import { createSnapshot, type DocumentSnapshot, utf8Form } from '../../src/workspace/document-snapshot.ts';
import { differenceOf } from '../../src/workspace/language-server/content-change.ts';
import { localRun } from '../../src/workspace/local-run.ts';

/** A board on real files: what it is told was written before, as a broker does it. */
export interface BoardRun {
  readonly board: DiagnosticsBoard;
  snapshot(path: string): DocumentSnapshot;
  /** Writes a whole new text and checks it; the receipt is `e1`, `e2`, …. */
  write(path: string, text: string, options?: CheckOptions): Promise<DiagnosticsReport>;
  /** Writes the file with the first `from` replaced, and checks it. */
  replace(path: string, edit: readonly [from: string, to: string], options?: CheckOptions): Promise<DiagnosticsReport>;
  remove(path: string, options?: CheckOptions): Promise<DiagnosticsReport>;
}

export interface CheckOptions {
  readonly budgetMs?: number;
  readonly session?: string;
}

export function boardRun(options: Pick<BoardOptions, 'root'> & Partial<BoardOptions>): BoardRun {
  const board = createDiagnosticsBoard({ run: localRun, clock: systemClock, ...options });
  let version = 0;
  let receipts = 0;
  const snapshotOf = (path: string, text: string): DocumentSnapshot =>
    createSnapshot(path, text, utf8Form(), ++version);
  const snapshot = (path: string): DocumentSnapshot => snapshotOf(path, readFileSync(path, 'utf8'));
  const before = (path: string): DocumentSnapshot | undefined => {
    try {
      return snapshot(path);
    } catch {
      return undefined;
    }
  };
  const check = (
    change: Pick<WrittenChange, 'before' | 'after' | 'edits'>,
    { budgetMs = 60_000, session = 's1' }: CheckOptions = {},
  ): Promise<DiagnosticsReport> => board.check([{ receipt: `e${++receipts}`, session, ...change }], budgetMs);
  const write: BoardRun['write'] = (path, text, checkOptions) => {
    const old = before(path);
    writeFileSync(path, text);
    const edits = old ? [differenceOf(old.text, text)] : [];
    return check({ before: old, after: snapshotOf(path, text), edits }, checkOptions);
  };
  return {
    board,
    snapshot,
    write,
    replace: (path, [from, to], checkOptions) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
      return write(
        path,
        text.replace(from, () => to),
        checkOptions,
      );
    },
    remove: (path, checkOptions) => {
      const old = snapshot(path);
      rmSync(path);
      return check({ before: old, after: undefined, edits: [] }, checkOptions);
    },
  };
}
