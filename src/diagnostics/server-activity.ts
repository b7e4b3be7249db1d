import type { LanguageServer } from '../workspace/language-server/language-server.ts';

/** What a server is busy with of its own accord, as it tells by work-done progress: loading, indexing. */
export class ServerActivity {
  readonly #server: LanguageServer;
  readonly #titles = new Map<unknown, string>();
  #waiting: (() => void)[] = [];

  constructor(server: LanguageServer) {
    this.#server = server;
    server.listen((method, params) => {
      if (method === '$/progress') this.#take(params);
    });
  }

  /** What it is doing, in its own words; `undefined` where it is doing nothing that it tells of. */
  get title(): string | undefined {
    return [...this.#titles.values()].at(-1);
  }

  /** Settles when it does nothing any more that it tells of. */
  async idle(): Promise<void> {
    if (this.#titles.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #take(params: unknown): void {
    if (typeof params !== 'object' || params === null) return;
    const { token, value } = params as { readonly token?: unknown; readonly value?: Partial<Record<string, unknown>> };
    if (value?.kind === 'begin') {
      if (this.#titles.size === 0) void this.#endWithServer();
      this.#titles.set(token, typeof value.title === 'string' ? value.title : 'work');
    }
    if (value?.kind === 'end') this.#titles.delete(token);
    if (this.#titles.size === 0) this.#settle();
  }

  /** What a server was doing ends with it, told or not. */
  async #endWithServer(): Promise<void> {
    const session = await this.#server.ready().catch(() => undefined);
    await session?.ended;
    this.#titles.clear();
    this.#settle();
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
