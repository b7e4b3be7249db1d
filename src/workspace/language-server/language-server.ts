import type { Clock } from '../clock.ts';
import type { SpanEdit } from '../span.ts';
import { BackOff, pause } from './back-off.ts';
import { changeMessages, type FileChange } from './held-changes.ts';
import { IdleTimer } from './idle-timer.ts';
import type { LanguageServerOptions, NotificationListener } from './language-server-options.ts';
import type { ResolvedServer } from './resolve-server.ts';
import { ServerFailure } from './server-failure.ts';
import { type ServerSession, startSession } from './server-session.ts';
import { ServerSigns } from './server-signs.ts';
import type { ServerState } from './server-state.ts';
import { SERVER_TIMINGS, type ServerTimings } from './server-timings.ts';
import { type DocumentText, type Message, SyncedDocuments } from './synced-documents.ts';

/**
 * One language server over all the lives of its process: started when needed, not before the back-off after a failure,
 * stopped when idle. A new process has the same documents open, with their present text.
 */
export class LanguageServer {
  readonly resolved: ResolvedServer;
  readonly documents = new SyncedDocuments();
  readonly #options: LanguageServerOptions;
  readonly #timings: ServerTimings;
  readonly #listeners = new Set<NotificationListener>();
  readonly #closing = new AbortController();
  #isStopped = false;
  readonly signs: ServerSigns;
  #starting: { readonly session: Promise<ServerSession>; readonly since: number } | undefined;
  #session: ServerSession | undefined;
  readonly #backOff: BackOff;
  #epoch = 0;
  #usedAt = 0;
  readonly #idle: IdleTimer;

  constructor(resolved: ResolvedServer, options: LanguageServerOptions) {
    this.resolved = resolved;
    this.signs = new ServerSigns(resolved);
    this.#options = options;
    this.#timings = { ...SERVER_TIMINGS, ...options.timings };
    this.#backOff = new BackOff(this.#timings, options.clock);
    this.#idle = new IdleTimer(this.#timings.idleMs, () => void this.rest());
  }

  /** Grows with everything that can change what the server would say: texts, events of files, a new process. */
  get epoch(): number {
    return this.#epoch;
  }

  /** It was ended for good. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** It runs, is ready, and can be trusted, as far as is known now: there is no {@link objection}. */
  get isSound(): boolean {
    return this.#session !== undefined && this.signs.isSound;
  }

  /** Why nothing that it says can be trusted, once it runs and is ready. */
  async objection(): Promise<string | undefined> {
    const { ended } = await this.ready();
    return this.signs.objection(ended);
  }

  /** When it was last asked for, by its clock. */
  get usedAt(): number {
    return this.#usedAt;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  get session(): ServerSession | undefined {
    return this.#session;
  }

  get state(): ServerState {
    if (this.#session) return { status: 'running' };
    if (this.#starting) return { status: 'starting', sinceMs: this.clock.now() - this.#starting.since };
    const { failure, sinceMs } = this.#backOff;
    return failure ? { status: 'failed', reason: failure.message, sinceMs } : { status: 'stopped' };
  }

  /**
   * The running server; it is started where it is not. After a process that ended it waits for the back-off; after one
   * that could not be started it fails at once until the back-off is over, and then tries again.
   * @throws ServerFailure
   */
  async ready(): Promise<ServerSession> {
    this.#used();
    if (this.#isStopped) throw new ServerFailure('ended', 'it was stopped');
    if (this.#session) return this.#session;
    if (!this.#starting) {
      const { clock } = this;
      const { leftMs: delay, failure } = this.#backOff;
      if (delay > 0 && failure?.code === 'not_started') throw failure;
      const session = this.#start(delay);
      session.catch(() => {});
      this.#starting = { session, since: clock.now() };
    }
    return this.#starting.session;
  }

  /** A request; one that is left unanswered for too long ends the process. @throws ServerFailure */
  async request(method: string, params: unknown): Promise<unknown> {
    const session = this.#session ?? (await this.ready());
    this.#used();
    try {
      return await this.#idle.during(() => session.request(method, params, this.#timings.requestMs));
    } catch (error) {
      if (error instanceof ServerFailure && error.code === 'hung') session.kill();
      throw error;
    }
  }

  /** Makes the server's text of a document this one, now or when it starts; the version that the server knows it by. */
  sync(document: DocumentText, edits?: readonly SpanEdit[]): number {
    const { positionEncoding: encoding = 'utf-16', takes = 'parts' } = this.#session ?? {};
    this.#send(this.documents.set(document, { encoding, edits, takes }));
    return this.documents.get(document.path)?.version ?? 0;
  }

  /** Gives a document its next version under the same text, so that the server looks at it again; the version. */
  nudge(path: string): number {
    const epoch = this.#epoch;
    this.#send(this.documents.nudge(path, this.#session?.takes));
    this.#epoch = epoch;
    return this.documents.get(path)?.version ?? 0;
  }

  close(path: string): void {
    this.#send(this.documents.close(path));
    this.#epoch++;
  }

  /** Closes a document whose text is what the disk has: the server goes on as before. */
  release(path: string): void {
    this.#send(this.documents.close(path));
  }

  /** Says that the server is again as it was at that epoch: the same texts in the same world. */
  returnTo(epoch: number): void {
    this.#epoch = epoch;
  }

  /** Tells of files that changed on disk, as far as the server asks for it or serves their language. */
  filesChanged(changes: readonly FileChange[]): void {
    this.#send(changeMessages(this.#session?.heldChanges.sift(changes) ?? []));
  }

  /** Makes the server look at the disk again, where it does not go by what it is told. @throws ServerFailure */
  async lookAgain(): Promise<void> {
    const { lookAgain } = this.resolved.definition;
    if (!lookAgain) return;
    this.#epoch++;
    await this.request('workspace/executeCommand', lookAgain);
  }

  /** Calls `listener` with each notification of the server, until the function that it returns is called. */
  listen(listener: NotificationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the process, and says why there is none until `memoryPauseMs` have passed. */
  refuse(reason: string): void {
    const session = this.#session;
    this.#session = undefined;
    this.#epoch++;
    this.#backOff.failed(new ServerFailure('not_started', reason), this.#timings.memoryPauseMs);
    session?.kill();
  }

  /** Ends the process for good; settles when nothing of it is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#idle.stop();
    const session = this.#session;
    this.#session = undefined;
    this.#epoch++;
    if (session) await session.stop();
    this.#closing.abort();
    await this.#starting?.session.catch(() => {});
  }

  #send(messages: readonly Message[]): void {
    // Opening and closing show a text that the disk has too; a change, or news of the disk, may change what it says.
    if (messages.some(({ method }) => /\/didChange/.test(method))) this.#epoch++;
    for (const { method, params } of messages) this.#session?.notify(method, params);
  }

  async #start(delayMs: number): Promise<ServerSession> {
    try {
      if (delayMs > 0) await pause(delayMs, this.#closing.signal);
      this.signs.reset();
      const session = await startSession({
        server: this.resolved,
        run: this.#options.run,
        watchdog: this.#options.watchdog,
        log: this.#options.log,
        initializeTimeoutMs: this.#timings.initializeMs,
        signal: this.#closing.signal,
        onNotification: (method, params) => {
          this.signs.note(method, params);
          for (const listener of this.#listeners) listener(method, params);
        },
      });
      this.#begin(session);
      return session;
    } catch (error) {
      this.#backOff.failed(error instanceof ServerFailure ? error : new ServerFailure('not_started', String(error)));
      throw error;
    } finally {
      this.#starting = undefined;
    }
  }

  #begin(session: ServerSession): void {
    const began = this.clock.now();
    this.#session = session;
    session.registrations.onRegister(() => {
      if (this.#session === session) this.#send(changeMessages(session.heldChanges.takeAsked()));
    });
    this.#backOff.started();
    this.#send(this.documents.openAll());
    void session.ended.then((reason) => {
      if (this.#session !== session) return;
      this.#session = undefined;
      this.#epoch++;
      this.#backOff.lived(this.clock.now() - began);
      this.#backOff.failed(new ServerFailure('ended', reason));
    });
  }

  #used(): void {
    this.#usedAt = this.clock.now();
    this.#idle.used();
  }

  /** Ends the process until it is needed again. */
  async rest(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#epoch++;
    await session?.stop();
  }
}
