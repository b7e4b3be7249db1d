import type { Receipt } from '../broker/receipt.ts';
import { createSession, type SessionOptions } from '../broker/session.ts';
import type { DiagnosticsReport } from '../diagnostics/report.ts';
import { callTool } from '../tools/call-tool.ts';
import { defaultTools } from '../tools/tools.ts';
import { openRoot, type RootOptions } from './open-root.ts';

export interface BrokerOptions extends RootOptions {
  /** Names the caller's run: what it read, what is pending for it. One of its own by default. */
  readonly session?: string;
  /** When an edit's answer shows its lines; `always` by default. */
  readonly snippet?: SessionOptions['snippet'];
  /** Milliseconds that an edit waits for its diagnostics; 3,000 by default. */
  readonly diagnosticsBudgetMs?: number;
  /** Said of diagnostics that are pending: how they can still be had. */
  readonly pendingHint?: string;
}

/** `ok`, the text that a model reads, and the receipt for programs. */
export interface CallResult {
  readonly ok: boolean;
  readonly text: string;
  readonly receipt: Receipt;
  readonly images?: readonly { readonly mimeType: string; readonly base64: string }[];
}

export interface CallOptions {
  /** Cancels the call. What is written by then stays written and says so. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}

/** Late diagnostics of one edit. */
export interface LateDiagnostics {
  /** The receipt id of the edit. */
  readonly receipt: string;
  readonly report: DiagnosticsReport;
}

/** An edit broker on one root, in this process. */
export interface Broker {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Runs one tool. Refusals and failures of the world are results with `ok: false`; what is thrown is a bug. */
  call(tool: string, args: unknown, options?: CallOptions): Promise<CallResult>;
  /** Waits at most `ms` for diagnostics that are pending, and hands over those that came in, each once. */
  flush(ms: number): Promise<readonly LateDiagnostics[]>;
  /** Ends every language server. */
  close(): Promise<void>;
}

/**
 * A broker for programs that embed emend; its language servers start when they are first needed.
 * @throws StoreError `not_found` where the root is no folder
 */
export async function createBroker(options: BrokerOptions): Promise<Broker> {
  const root = await openRoot(options);
  const session = createSession(root, options.session ?? crypto.randomUUID(), {
    ...(options.snippet && { snippet: options.snippet }),
    ...(options.diagnosticsBudgetMs !== undefined && { diagnosticsBudgetMs: options.diagnosticsBudgetMs }),
    ...(options.pendingHint !== undefined && { pendingHint: options.pendingHint }),
  });
  return {
    root: root.root,
    call: (name, args, call = {}) => callTool(defaultTools, { name, args }, { session, ...call }),
    async flush(ms) {
      await root.diagnostics.settle(session.id, ms);
      return root.diagnostics.takeReflow(session.id);
    },
    close: () => root.close(),
  };
}
