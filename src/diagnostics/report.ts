import type { Range } from 'vscode-languageserver-textdocument';

/** One finding about one file, as in LSP: `range` 0-based, UTF-16, in the text after the edit. */
export interface FileDiagnostic {
  /** Relative to the root where the file lies inside, `/` between its parts. */
  readonly path: string;
  readonly range: Range;
  readonly severity: Severity;
  readonly code?: string;
  readonly message: string;
  readonly source?: string;
}

/** LSP's four severities by name. */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/**
 * `fresh`: of the version just written, clean or not. `pending`: not known yet, and it follows with a later result.
 * `unavailable`: can't be known, `servers` say why. `none`: no server that is installed speaks this language;
 * `servers` say what to install.
 */
type DiagnosticsState = 'fresh' | 'pending' | 'unavailable' | 'none';

/** What an edit changed about what language servers say. */
export interface DiagnosticsReport {
  readonly state: DiagnosticsState;
  /** Milliseconds that were waited for it. */
  readonly ms: number;
  /** Of these, until the changed files themselves were answered for; the rest went to files that depend on them. */
  readonly ownMs?: number;
  /** How many there were before and are still; `null`: no baseline, so it is not known which are new. */
  readonly before: number | null;
  /** Files that depend on the change and were not looked at again. */
  readonly unchecked: number;
  /** The time was over before it was known which files depend on the change: `unchecked` does not count them. */
  readonly isSeeking?: true;
  readonly introduced: readonly FileDiagnostic[];
  readonly fixed: readonly FileDiagnostic[];
  /** From earlier edits of this session, not mended yet. Without a baseline: all that there are. */
  readonly open: readonly FileDiagnostic[];
  readonly servers: readonly ServerAnswer[];
  /** Changed files with findings that no project takes in: they were judged by their server's default options. */
  readonly inNoProject?: readonly string[];
}

/** How one language server answered for a file. */
export interface ServerAnswer {
  readonly name: string;
  readonly version: string | null;
  readonly state: 'fresh' | 'pending' | 'unavailable';
  /** Why it is not fresh: a clause that fits after the name and "is" (pending) or a colon (unavailable). */
  readonly reason?: string;
  /** Pending: milliseconds since it was first waited for, or ended. */
  readonly sinceMs?: number;
  /** Milliseconds that the call waited for this server, the dependants that it was asked about included. */
  readonly waitedMs?: number;
}
