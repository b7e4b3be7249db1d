import type { DiagnosticsBoard } from '../diagnostics/diagnostics-board.ts';
import type { Clock } from '../workspace/clock.ts';
import type { Confinement } from '../workspace/confinement.ts';
import type { DocumentStore } from '../workspace/document-store.ts';
import type { Documents } from '../workspace/documents.ts';
import type { FarSide } from '../workspace/executor/far-side.ts';
import type { KeptState } from '../workspace/kept-state.ts';
import type { Log } from '../workspace/log.ts';
import type { LookBudgets } from '../workspace/look-budgets.ts';
import type { PathLocks } from '../workspace/path-locks.ts';
import type { Run } from '../workspace/run.ts';
import type { EditPlanner } from './edit-planner.ts';

/** What all sessions on one root share: its files, their locks, the language servers' board, the receipts. */
export interface BrokerRoot {
  /** Absolute, links resolved. */
  readonly root: string;
  readonly store: DocumentStore;
  readonly confinement: Confinement;
  readonly documents: Documents;
  readonly locks: PathLocks;
  readonly run: Run;
  readonly diagnostics: DiagnosticsBoard;
  readonly clock: Clock;
  /** Plans edits that take long; without it they are planned on this thread. */
  readonly planner?: EditPlanner;
  /** How long an answer waits for what it can do without, where that is not as usual. */
  readonly looks?: LookBudgets;
  /** What has to be brought to the files where they are not on this machine. */
  readonly far?: FarSide;
  /** emend's own, for the journal. */
  readonly version: string;
  /** What undoes changes, and the journal. */
  readonly kept: KeptState;
  /** What happened, for a person who follows a strange result. */
  readonly log?: Log;
  /** The id of the next receipt: `e1`, `e2`, … never used twice in a root. */
  nextReceiptId(): Promise<string>;
}
