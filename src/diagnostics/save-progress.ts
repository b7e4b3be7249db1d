import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { onEnd } from '../workspace/language-server/on-end.ts';
import type { ServerDefinition } from '../workspace/language-server/server-definition.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import type { ServerSession } from '../workspace/language-server/server-session.ts';

/** How long a check of what was saved may take. */
const MOST_MS = 60_000;

/** Follows the runs of a checker, as its server tells of them by work-done progress. */
export class SaveProgress {
  readonly #onSave: NonNullable<ServerDefinition['onSave']>;
  readonly #listeners = new Set<(kind: 'begin' | 'end' | 'other') => void>();
  #hasEnded = false;

  constructor(server: LanguageServer, onSave: NonNullable<ServerDefinition['onSave']>) {
    this.#onSave = onSave;
    server.listen((method, params) => {
      const kind = this.#kindOf(method, params);
      if (kind === 'end') this.#hasEnded = true;
      if (kind) for (const listener of this.#listeners) listener(kind);
    });
  }

  /** Whether a run has come to its end since the server was first started. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Does something that starts a run, and waits until what began after it has ended and no more comes for a while.
   * @throws ServerFailure `ended`; `hung` when that takes too long
   */
  after(session: ServerSession, start: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      let [running, hasBegun] = [0, false];
      let quiet: NodeJS.Timeout | undefined;
      const settle = (how: () => void): void => {
        clearTimeout(timer);
        clearTimeout(quiet);
        this.#listeners.delete(listen);
        forget();
        how();
      };
      const listen = (kind: 'begin' | 'end' | 'other'): void => {
        if (kind === 'begin') running++;
        if (kind === 'begin') hasBegun = true;
        // One that began before ends within ours.
        if (kind === 'end') running = Math.max(0, running - 1);
        clearTimeout(quiet);
        if (hasBegun && running === 0) quiet = setTimeout(() => settle(resolve), this.#onSave.quietMs);
      };
      const late = new ServerFailure('hung', `its check of what was saved did not end in ${MOST_MS / 1000} s`);
      const timer = setTimeout(() => settle(() => reject(late)), MOST_MS);
      timer.unref();
      this.#listeners.add(listen);
      const forget = onEnd(session, (reason) => settle(() => reject(new ServerFailure('ended', reason))));
      start();
    });
  }

  #kindOf(method: string, params: unknown): 'begin' | 'end' | 'other' | undefined {
    if (method === 'textDocument/publishDiagnostics') return 'other';
    if (method !== '$/progress' || typeof params !== 'object' || params === null) return undefined;
    const { token, value } = params as { readonly token?: unknown; readonly value?: { readonly kind?: unknown } };
    if (typeof token !== 'string' || !token.startsWith(this.#onSave.progress)) return undefined;
    return value?.kind === 'begin' || value?.kind === 'end' ? value.kind : 'other';
  }
}
