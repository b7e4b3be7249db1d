import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { SpanEdit } from '../workspace/span.ts';
import type { Question, Reply } from './question.ts';
import type { DiagnosticsReport, FileDiagnostic, ServerAnswer } from './report.ts';

/** A change that has been written. */
export interface WrittenChange {
  /** The receipt id that late answers are labelled with. */
  readonly receipt: string;
  readonly session: string;
  /** `undefined`: the file was created. */
  readonly before: DocumentSnapshot | undefined;
  /** `undefined`: the file was deleted. */
  readonly after: DocumentSnapshot | undefined;
  /** From `before` to `after`. */
  readonly edits: readonly SpanEdit[];
}

/** Late diagnostics of an edit that answered `pending`; each is handed out once. */
export interface Reflow {
  readonly receipt: string;
  readonly report: DiagnosticsReport;
}

/** What is known of one file now. */
export interface FileState {
  readonly path: string;
  readonly state: DiagnosticsReport['state'];
  readonly diagnostics: readonly FileDiagnostic[];
  /** The same with those that are less grave than what the board reports. */
  readonly all?: readonly FileDiagnostic[];
  readonly servers: readonly ServerAnswer[];
}

/** What the language servers of one root say, and what edits changed about it. */
export interface DiagnosticsBoard {
  /** Starts the servers that serve this document and asks for a baseline; returns at once. */
  warmUp(document: DocumentSnapshot): void;
  /**
   * Call it before files (absolute paths) are made, moved or deleted: servers that run are asked about those that name
   * them, for at most `budgetMs` and a second.
   */
  lookAhead(paths: readonly string[], budgetMs: number, signal?: AbortSignal): Promise<void>;
  /** Tells the servers of the change, and waits at most `budgetMs` for what they say of exactly this version. */
  check(changes: readonly WrittenChange[], budgetMs: number, signal?: AbortSignal): Promise<DiagnosticsReport>;
  /** What holds now for one file, waiting at most `budgetMs`. */
  inspect(document: DocumentSnapshot, budgetMs: number, signal?: AbortSignal): Promise<FileState>;
  /** Asks the language server of a file something else, at most for the question's budget; starts it where needed. */
  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<Reply<T>>;
  /** The servers that run now. */
  runningServers(): Promise<readonly LanguageServer[]>;
  /**
   * Every file that this session changed, or (`session` undefined) that any did; with `since` those that this receipt or
   * a later one changed.
   */
  changedFiles(session: string | undefined, since?: string): readonly string[];
  /** What has come in since, for this session; each once. */
  takeReflow(session: string): readonly Reflow[];
  /** Waits at most `ms` until nothing of this session is pending. */
  settle(session: string, ms: number): Promise<void>;
  /** Takes what others changed on disk (absolute paths); the servers hear of it before they are asked again. */
  filesChanged(paths: readonly string[]): Promise<void>;
  /** Ends every language server. */
  close(): Promise<void>;
}
