import type { Receipt } from '../broker/receipt.ts';
import type { SessionOptions } from '../broker/session.ts';
import type { DiagnosticsReport } from '../diagnostics/report.ts';

/** `ok`, the text that a model reads, and the receipt for programs. */
export interface CallResult {
  readonly ok: boolean;
  readonly text: string;
  readonly receipt: Receipt;
  readonly images?: readonly { readonly mimeType: string; readonly base64: string }[];
}

/** Late diagnostics of one edit. */
export interface LateDiagnostics {
  /** The receipt id of the edit. */
  readonly receipt: string;
  readonly report: DiagnosticsReport;
}

/** One tool as a client is told of it. */
export interface ToolListing {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
    readonly additionalProperties: false;
  };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** What goes with one call. */
export interface HostCall {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
  /** The caller gives up after this many milliseconds. */
  readonly answerWithinMs?: number;
  /** For this call, other than the session has them. */
  readonly options?: Partial<SessionOptions>;
}

/** The tools of one session, in this process or in a resident one. */
export interface ToolHost {
  readonly tools: readonly ToolListing[];
  /** Refusals and failures of the world are results with `ok: false`. */
  call(name: string, args: unknown, call?: HostCall): Promise<CallResult>;
  /** Waits at most `ms` for diagnostics that are pending, and hands over those that came in, each once. */
  flush(ms: number): Promise<readonly LateDiagnostics[]>;
  /** Ends the session; in this process also every language server. */
  close(): Promise<void>;
}
