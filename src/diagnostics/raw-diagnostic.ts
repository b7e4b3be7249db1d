import type { Range } from 'vscode-languageserver-textdocument';
import type { Severity } from './report.ts';

/** One finding of a server about a document, its range in UTF-16 whatever the server counts in. */
export interface RawDiagnostic {
  readonly range: Range;
  readonly severity: Severity;
  readonly code: string | undefined;
  readonly message: string;
  readonly source: string | undefined;
}

/** What a server that runs said to one request; `unavailable`: it can't know. */
export type Asked =
  | { readonly status: 'answered'; readonly diagnostics: readonly RawDiagnostic[] }
  | { readonly status: 'unavailable'; readonly reason: string };

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** LSP's number; a server that gives none means an error. */
export function severityOf(severity: number | undefined): Severity {
  return SEVERITIES[(severity ?? 1) - 1] ?? 'error';
}
