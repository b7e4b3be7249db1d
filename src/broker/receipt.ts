import type { DiagnosticsReport, FileDiagnostic } from '../diagnostics/report.ts';
import type { MatchedVia } from './matched-via.ts';
import type { ErrorCode } from './refusal.ts';

/** What a call did, for programs. Goes beside the text as `receipt`, and over MCP as `_meta["emend/receipt"]`. */
export interface Receipt {
  readonly id: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly code?: ErrorCode;
  readonly ms: number;
  readonly files: readonly FileReceipt[];
  /** Nothing was written: `files` is what the call would do. */
  readonly dry_run?: true;
  readonly diagnostics?: DiagnosticsReport;
  readonly reflow?: readonly ReflowReceipt[];
  /** The id to undo by. */
  readonly undo?: string;
  /** Undo: the id of what it took back. */
  readonly undoes?: string;
  /** Bash: how the command ended. */
  readonly exit?: { readonly code: number } | { readonly signal: string };
  readonly output_path?: string;
  /** Bash, Read from a file's first line: bytes of UTF-8 that the tool's own limits left out of the answer. */
  readonly left_out?: number;
  readonly changed?: readonly string[];
  readonly running?: readonly string[];
  /** Read, Glob, Grep: whether the answer is everything. */
  readonly complete?: boolean;
  readonly why?: string;
  readonly total?: number;
  readonly next_offset?: number;
  /** Over MCP: UTF-16 units of this receipt that were left out of its lists, so that clients take it. */
  readonly receipt_cut?: number;
}

/** What a call did to one file. */
export interface FileReceipt {
  /** Relative to the root where it lies inside, `/` between its parts. */
  readonly path: string;
  readonly op: 'edit' | 'create' | 'delete' | 'move';
  /** The link that was named, where `path` is what it leads to. */
  readonly link?: string;
  /** Of a move: where the file was. */
  readonly from?: string;
  readonly added: number;
  readonly removed: number;
  readonly sha256: { readonly before: string | null; readonly after: string | null };
  readonly encoding: string;
  readonly eol: 'lf' | 'crlf' | 'cr' | 'mixed';
  readonly matched_via?: MatchedVia;
  /** Kept lines (1-based, in the file after the edit) that differ from old_string. */
  readonly kept?: readonly number[];
  readonly hunks: readonly HunkReceipt[];
  /** Unified, 3 lines around, cut at 8 KB. */
  readonly diff: string;
  /** Bytes of the diff that were left out. */
  readonly diff_cut?: number;
  readonly snippet?: string;
}

/** One run of changed lines of a file. */
export interface HunkReceipt {
  /** 1-based first line and number of lines, before. */
  readonly old: readonly [number, number];
  /** The same after. */
  readonly new: readonly [number, number];
  /** Byte range in the file before. */
  readonly bytes: readonly [number, number];
}

/** What servers said late about the change of an earlier receipt. */
export interface ReflowReceipt {
  readonly receipt: string;
  readonly introduced: readonly FileDiagnostic[];
  readonly fixed: readonly FileDiagnostic[];
}
