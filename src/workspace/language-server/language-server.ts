import type { Clock } from '../clock.ts';
import type { Run } from '../run.ts';
import type { SpanEdit } from '../span.ts';
import { uriOfPath } from '../uri.ts';
import type { FileChangeType } from './registrations.ts';
import type { ResolvedServer } from './resolve-server.ts';
import { ServerFailure } from './server-failure.ts';
import { type ServerSession, startSession } from './server-session.ts';
import { SERVER_TIMINGS, type ServerTimings } from './server-timings.ts';
import { type DocumentText, type Message, SyncedDocuments } from './synced-documents.ts';
import { VersionReport } from './version-report.ts';
import type { Watchdog } from './watchdog.ts';

export type ServerState =
  /** Not asked for yet, or idle for too long. */
  | { readonly status: 'stopped' }
  | { readonly status: 'starting'; readonly sinceMs: number }
  | { readonly status: 'running'; readonly pid?: number }
  | { readonly status: 'failed'; readonly reason: string; readonly sinceMs: number };

export interface LanguageServerOptions {
  readonly run: Run;
  readonly watchdog: Watchdog | undefined;
  readonly clock: Clock;
  readonly timings?: Partial<ServerTimings>;
}

export type NotificationListener = (method: string, params: unknown) => void;

/**
 * One language server over all the lives of its process: started on first use, started again after a failure when it
 * is next needed and not before the back-off, stopped when idle. It keeps what the server was told, so a new process
 * has the same documents open with their present text.
 */
export class LanguageServer {
  readonly resolved: ResolvedServer;
  readonly documents = new SyncedDocuments();
  readonly #options: LanguageServerOptions;
  readonly #timings: ServerTimings;
  readonly #listeners = new Set<NotificationListener>();
  readonly #closing = new AbortController();
  #isStopped = false;
  readonly #version: VersionReport;
  #starting: { readonly session: Promise<ServerSession>; readonly since: number } | undefined;
  #session: ServerSession | undefined;
  #failure: { readonly error: ServerFailure; readonly at: number; readonly retryAt: number } | undefined;
  #failures = 0;
  #epoch = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(resolved: ResolvedServer, options: LanguageServerOptions) {
    this.resolved = resolved;
    this.#version = new VersionReport(resolved);
    this.#options = options;
    this.#timings = { ...SERVER_TIMINGS, ...options.timings };
  }

  /** Grows with everything that can change what the server would say: texts, events of files, a new process. */
  get epoch(): number {
    return this.#epoch;
  }

  /** It was ended for good. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Why nothing that it says can be trusted, once it runs. */
  objection(): Promise<string | undefined> {
    return this.#version.objection();
  }

  get session(): ServerSession | undefined {
    return this.#session;
  }

  get state(): ServerState {
    const now = this.#options.clock.now();
    if (this.#session) return { status: 'running' };
    if (this.#starting) return { status: 'starting', sinceMs: now - this.#starting.since };
    if (!this.#failure) return { status: 'stopped' };
    return { status: 'failed', reason: this.#failure.error.message, sinceMs: now - this.#failure.at };
  }

  /**
   * The running server; it is started where it is not. After a process that ended it waits for the back-off; after one
   * that could not be started it fails at once until the back-off is over, and then tries again.
   * @throws ServerFailure
   */
  async ready(): Promise<ServerSession> {
    this.#rest();
    if (this.#isStopped) throw new ServerFailure('ended', 'it was stopped');
    if (this.#session) return this.#session;
    if (!this.#starting) {
      const { clock } = this.#options;
      const delay = Math.max(0, (this.#failure?.retryAt ?? 0) - clock.now());
      if (delay > 0 && this.#failure?.error.code === 'not_started') throw this.#failure.error;
      const session = this.#start(delay);
      session.catch(() => {});
      this.#starting = { session, since: clock.now() };
    }
    return this.#starting.session;
  }

  /**
   * A request to the running server, which is started where it is not. One that it leaves unanswered for too long ends
   * it, so that the next finds a new process.
   * @throws ServerFailure
   */
  async request(method: string, params: unknown): Promise<unknown> {
    const session = await this.ready();
    try {
      return await session.request(method, params, this.#timings.requestMs);
    } catch (error) {
      if (error instanceof ServerFailure && error.code === 'hung') session.kill();
      throw error;
    }
  }

  /** Makes the server's text of a document this one, now or when it starts; the version that the server knows it by. */
  sync(document: DocumentText, edits?: readonly SpanEdit[]): number {
    const encoding = this.#session?.positionEncoding ?? 'utf-16';
    this.#send(this.documents.set(document, { encoding, edits }));
    return this.documents.get(document.path)?.version ?? 0;
  }

  close(path: string): void {
    this.#send(this.documents.close(path));
  }

  /** Tells of files that changed on disk, as far as the server asked for it. */
  filesChanged(changes: readonly { readonly path: string; readonly type: FileChangeType }[]): void {
    const session = this.#session;
    if (!session) return;
    const watched = changes.filter((change) => session.registrations.watches(change.path, change.type));
    if (watched.length === 0) return;
    const params = { changes: watched.map(({ path, type }) => ({ uri: uriOfPath(path), type })) };
    this.#send([{ method: 'workspace/didChangeWatchedFiles', params }]);
  }

  /** Calls `listener` with each notification of the server, until the function that it returns is called. */
  listen(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the process for good; settles when nothing of it is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#idle);
    const session = this.#session;
    this.#session = undefined;
    this.#epoch++;
    if (session) await session.stop();
    this.#closing.abort();
    await this.#starting?.session.catch(() => {});
  }

  #send(messages: readonly Message[]): void {
    // Opening shows the server a text that it could have read from the disk; all else may change what it would say.
    if (messages.some(({ method }) => method !== 'textDocument/didOpen')) this.#epoch++;
    for (const { method, params } of messages) this.#session?.notify(method, params);
  }

  async #start(delayMs: number): Promise<ServerSession> {
    try {
      if (delayMs > 0) await this.#pause(delayMs);
      const session = await startSession({
        server: this.resolved,
        run: this.#options.run,
        watchdog: this.#options.watchdog,
        initializeTimeoutMs: this.#timings.initializeMs,
        signal: this.#closing.signal,
        onNotification: (method, params) => {
          this.#version.note(method, params);
          for (const listener of this.#listeners) listener(method, params);
        },
      });
      this.#begin(session);
      return session;
    } catch (error) {
      this.#fail(error instanceof ServerFailure ? error : new ServerFailure('not_started', String(error)));
      throw error;
    } finally {
      this.#starting = undefined;
    }
  }

  #begin(session: ServerSession): void {
    const { clock } = this.#options;
    const began = clock.now();
    this.#session = session;
    this.#failure = undefined;
    this.#send(this.documents.openAll());
    void session.ended.then((reason) => {
      if (this.#session !== session) return;
      this.#session = undefined;
      this.#epoch++;
      if (clock.now() - began >= this.#timings.provenMs) this.#failures = 0;
      this.#fail(new ServerFailure('ended', reason));
    });
  }

  #fail(error: ServerFailure): void {
    const pauses = this.#timings.backOffMs;
    const pause = pauses[Math.min(this.#failures, pauses.length - 1)] ?? 0;
    this.#failures++;
    const at = this.#options.clock.now();
    this.#failure = { error, at, retryAt: at + pause };
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#closing.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#stopIdle(), this.#timings.idleMs);
    this.#idle.unref();
  }

  async #stopIdle(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#epoch++;
    await session?.stop();
  }
}
