import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Run } from '../run.ts';
import { type ChosenServers, chooseServers } from './choose-servers.ts';
import { LanguageServer } from './language-server.ts';
import { MemoryCeiling, type MemoryPort } from './memory-ceiling.ts';
import { type ResolvedServer, resolveServer } from './resolve-server.ts';
import type { ServerDefinition } from './server-definition.ts';
import type { ServerMachine } from './server-machine.ts';
import type { ServerTimings } from './server-timings.ts';
import type { Watchdog } from './watchdog.ts';

/** The servers that serve one file, and the definitions that speak its language but can't. */
export interface Serving {
  readonly servers: readonly LanguageServer[];
  readonly missing: readonly { readonly definition: ServerDefinition; readonly reason: string }[];
}

/** What the servers of one root are started from and with. */
interface LanguageServersOptions {
  /** The folder beyond which no workspace folder is looked for. */
  readonly root: string;
  readonly definitions: readonly ServerDefinition[];
  readonly machine: ServerMachine;
  readonly run: Run;
  readonly watchdog: Watchdog | undefined;
  readonly clock: Clock;
  readonly timings?: Partial<ServerTimings>;
  readonly log?: Log;
  /** What keeps all of them under a ceiling of memory; absent where their processes are not of this machine. */
  readonly memory?: MemoryPort;
}

/** How long it is taken that nobody installed a server, or gave the project another root. */
const LOOK_AGAIN_MS = 3000;

/** All language servers of one root: one for each definition and workspace folder, made when a file needs it. */
export class LanguageServers {
  readonly #options: LanguageServersOptions;
  readonly #memory: MemoryCeiling | undefined;
  readonly #byKey = new Map<string, LanguageServer>();
  readonly #looked = new Map<string, { readonly at: number; readonly found: Promise<ChosenServers> }>();
  #isStopped = false;

  constructor(options: LanguageServersOptions) {
    this.#options = options;
    this.#memory = options.memory && new MemoryCeiling(options.memory, () => this.all(), options.timings?.memoryLookMs);
  }

  /** Which servers are for a file (absolute, real); none once all were stopped. Starts none of them. */
  async serving(file: { readonly path: string; readonly languageId: string }): Promise<Serving> {
    const { clock } = this.#options;
    const key = `${file.languageId}\0${file.path.slice(0, file.path.lastIndexOf('/'))}`;
    let looked = this.#looked.get(key);
    if (!looked || clock.now() - looked.at > LOOK_AGAIN_MS) {
      looked = { at: clock.now(), found: this.#look(file) };
      this.#looked.set(key, looked);
    }
    const { resolved, missing } = await looked.found;
    this.#memory?.watch();
    if (this.#isStopped) return { servers: [], missing: [] };
    return { servers: resolved.map((server) => this.#serverOf(server)), missing };
  }

  /** Every server that was ever needed. */
  all(): readonly LanguageServer[] {
    return [...this.#byKey.values()];
  }

  /** Ends every server for good, and the watchdog after them. */
  async stop(): Promise<void> {
    await this.#memory?.close();
    this.#isStopped = true;
    await Promise.all(this.all().map((server) => server.stop()));
    await this.#options.watchdog?.close();
  }

  #serverOf(resolved: ResolvedServer): LanguageServer {
    const known = this.#byKey.get(resolved.key);
    if (known) return known;
    const server = new LanguageServer(resolved, this.#options);
    this.#byKey.set(resolved.key, server);
    return server;
  }

  async #look(file: { readonly path: string; readonly languageId: string }): Promise<ChosenServers> {
    const { definitions, machine, root } = this.#options;
    const resolutions = await Promise.all(
      definitions
        .filter((definition) => definition.languages.includes(file.languageId))
        .map((definition) => resolveServer(machine, definition, { path: file.path, boundary: root })),
    );
    return chooseServers(resolutions);
  }
}
