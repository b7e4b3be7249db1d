import type { LoopGateOptions } from '../broker/loop-gate-options.ts';
import type { SessionOptions } from '../broker/session.ts';
import type { ToolChoice } from '../tools/select-tools.ts';
import type { RootOptions } from './open-root.ts';

/** What a program can say of the broker that it embeds. */
export interface BrokerOptions extends Omit<RootOptions, 'servers'>, ToolChoice {
  /**
   * `files`: what is not said here is as the user's file of settings and the project's have it, as on the command line;
   * their deny lists hold beside this one. By default no such file is read.
   */
  readonly config?: 'files';
  /** Language servers by name: `off`, or members that take the place of those in the catalogue. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** Names the caller's run: what it read, what is pending for it. One of its own by default. */
  readonly session?: string;
  /** When an edit's answer shows its lines; `always` by default. */
  readonly snippet?: SessionOptions['snippet'];
  /** Milliseconds that an edit waits for its diagnostics; 3,000 by default. */
  readonly diagnosticsBudgetMs?: number;
  /** Said of diagnostics that are pending: how they can still be had. */
  readonly pendingHint?: string;
  /** Write over a file that was not read is refused; by default it is written, and its old content kept. */
  readonly strictWrite?: true;
  /** How often a call may fail in the same way before it is held back or noted, and whether Bash is held back too. */
  readonly loopGate?: Partial<LoopGateOptions>;
}
