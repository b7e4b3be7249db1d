import type { ServerCapabilities } from 'vscode-languageserver-protocol';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { ServerSession } from '../workspace/language-server/server-session.ts';

/** Something to ask the language server of a file, in one go or in several requests. */
export interface Question<T> {
  /** Whose server is asked: absolute and real. */
  readonly file: { readonly path: string; readonly languageId: string };
  /** The server must have this capability: `referencesProvider`. */
  readonly needs: keyof ServerCapabilities;
  /** Asked while no text changes, when the server has all that was written; again when it had not loaded everything. */
  ask(server: LanguageServer, session: ServerSession): Promise<T>;
  /** Whether an answer says nothing: then a server that is still loading is not believed. */
  isEmpty(answer: T): boolean;
  /** `early`: it may be asked twice, the first time before it is known that no file was changed by others. */
  readonly when?: 'early' | undefined;
  /** Milliseconds. */
  readonly budgetMs: number;
}

/** What came of a question. */
export type Reply<T> =
  | { readonly status: 'answered'; readonly server: string; readonly answer: T }
  /** Not within the budget. `reason` fits after the server's name and "is". */
  | { readonly status: 'pending'; readonly server: string; readonly reason: string; readonly sinceMs: number }
  | { readonly status: 'unavailable'; readonly server: string; readonly reason: string }
  /** No server speaks the language; `reasons` say what to install. */
  | { readonly status: 'none'; readonly reasons: readonly string[] };
