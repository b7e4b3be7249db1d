import type { Log, LogFields, LogLevel } from '../log.ts';
import type { ResolvedServer } from './resolve-server.ts';
import type { ServerProcess } from './server-process.ts';

/** What the log has of one life of a server process: that it was started, as what, and why it ended. */
export class ServerLife {
  readonly #log: Log | undefined;
  readonly #server: string;
  readonly #root: string;
  #asked: 'stopped' | 'killed' | undefined;
  #isStarted = false;

  constructor({ definition, root }: ResolvedServer, log: Log | undefined) {
    this.#server = definition.name;
    this.#root = root;
    this.#log = log;
  }

  /** No process came of it. @throws the error */
  notStarted(error: unknown): never {
    this.#say('warn', 'server_failed', { reason: error instanceof Error ? error.message : String(error) });
    throw error;
  }

  launched({ pid, ended }: ServerProcess): void {
    this.#say('debug', 'server_launched', { pid });
    void ended.then((reason) => {
      if (this.#asked) this.#say('info', 'server_ended', { pid, why: this.#asked });
      else this.#say('warn', this.#isStarted ? 'server_ended' : 'server_failed', { pid, reason });
    });
  }

  /** It answered `initialize`. */
  started(version: string | undefined): void {
    this.#isStarted = true;
    this.#say('info', 'server_started', { version });
  }

  /** What comes next was asked for. */
  asked(what: 'stopped' | 'killed'): void {
    this.#asked ??= what;
  }

  #say(level: LogLevel, event: string, fields: LogFields): void {
    this.#log?.write(level, event, { server: this.#server, root: this.#root, ...fields });
  }
}
