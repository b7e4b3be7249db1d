import type { BrokerRoot } from './broker-root.ts';
import { LOOP_GATE_OPTIONS, type LoopGateOptions } from './loop-gate-options.ts';

/**
 * One caller's run: a stdio connection, `createBroker({ session })`, or `emend call --session ID`. To it belong what
 * was read, the loop gate and the queue of late diagnostics; the rest belongs to the root.
 */
export interface Session {
  readonly id: string;
  readonly root: BrokerRoot;
  readonly options: SessionOptions;
  /** What has been said once and need not be said again: `no server for ruby`, `filePath is file_path here`. */
  readonly said: Set<string>;
  /** The same object in every view of one session: what modules remember of a session they keep under it. */
  readonly memory: object;
}

/** What one caller's session may set for itself. */
export interface SessionOptions {
  /** When an edit's answer shows its lines. */
  readonly snippet: 'always' | 'tolerant' | 'never';
  /** Milliseconds that an edit waits for its diagnostics. */
  readonly diagnosticsBudgetMs: number;
  /** Said of diagnostics that are pending: how they can still be had. */
  readonly pendingHint: string;
  /** Whether Write over a file that was not read is refused. */
  readonly strictWrite: boolean;
  /** How soon a caller that repeats itself is told so, or held back. */
  readonly loopGate: LoopGateOptions;
}

/** What holds where a caller says nothing. */
export const defaultSessionOptions: SessionOptions = {
  snippet: 'always',
  diagnosticsBudgetMs: 3000,
  pendingHint: 'they follow with a later result',
  strictWrite: false,
  loopGate: LOOP_GATE_OPTIONS,
};

/** One caller's run on a root, which has read nothing yet. */
export function createSession(root: BrokerRoot, id: string, options: Partial<SessionOptions> = {}): Session {
  return { id, root, options: { ...defaultSessionOptions, ...options }, said: new Set(), memory: {} };
}

/** `true` the first time that a session is told this. */
export function saysFirst(session: Session, what: string): boolean {
  if (session.said.has(what)) return false;
  session.said.add(what);
  return true;
}
