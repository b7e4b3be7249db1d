/** How a language server stands. */
export type ServerState =
  /** Not asked for yet, or idle for too long. */
  | { readonly status: 'stopped' }
  | { readonly status: 'starting'; readonly sinceMs: number }
  | { readonly status: 'running' }
  | { readonly status: 'failed'; readonly reason: string; readonly sinceMs: number };
