import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { onEnd } from '../workspace/language-server/on-end.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import { keyOfUri } from '../workspace/language-server/synced-documents.ts';

/** What a server published of its own accord about one file. */
export interface Publication {
  /** The document's version that it is of, where the server says so. */
  readonly version: number | undefined;
  /** The server's epoch when it came. */
  readonly epoch: number;
  /** When it came, by the server's clock. */
  readonly at: number;
  readonly items: readonly unknown[];
}

/** The last publication about each file, by path, however the server spells its uri. */
export class PublishedDiagnostics {
  readonly #server: LanguageServer;
  readonly #last = new Map<string, Publication>();
  readonly #waiting = new Set<() => void>();

  constructor(server: LanguageServer) {
    this.#server = server;
    server.listen((method, params) => {
      if (method === 'textDocument/publishDiagnostics') this.#take(params);
    });
  }

  /** Waits until nothing has come about a file for `ms`; the last publication. */
  async quiet(path: string, publication: Publication, ms: number): Promise<Publication> {
    for (let last = publication; ; ) {
      const left = last.at + ms - this.#server.clock.now();
      if (left <= 0) return last;
      await new Promise((resolve) => setTimeout(resolve, left));
      last = this.#last.get(path) ?? last;
    }
  }

  /** What was last published about each file. */
  all(): ReadonlyMap<string, Publication> {
    return this.#last;
  }

  get(path: string): Publication | undefined {
    return this.#last.get(path);
  }

  /**
   * The first publication about a file that `isIt` takes, the last one included.
   * @throws ServerFailure `ended`; `hung` when none comes within `timeoutMs`
   */
  async wait(path: string, isIt: (publication: Publication) => boolean, timeoutMs: number): Promise<Publication> {
    const session = await this.#server.ready();
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const publication = this.#last.get(path);
        if (publication && isIt(publication)) settle(() => resolve(publication));
      };
      const settle = (how: () => void): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        forget();
        how();
      };
      const hung = (): ServerFailure =>
        new ServerFailure('hung', `it published nothing about ${path} in ${timeoutMs / 1000} s`);
      const timer = setTimeout(() => settle(() => reject(hung())), timeoutMs);
      this.#waiting.add(look);
      const forget = onEnd(session, (reason) => settle(() => reject(new ServerFailure('ended', reason))));
      look();
    });
  }

  #take(params: unknown): void {
    const { uri, version, diagnostics } = (params ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof uri !== 'string' || !Array.isArray(diagnostics)) return;
    this.#last.set(keyOfUri(uri), {
      version: typeof version === 'number' ? version : undefined,
      epoch: this.#server.epoch,
      at: this.#server.clock.now(),
      items: diagnostics,
    });
    for (const look of [...this.#waiting]) look();
  }
}
