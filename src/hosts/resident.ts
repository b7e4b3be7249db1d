import { stat, unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { createPathLockFiles } from '../workspace/local-path-lock.ts';
import type { ResidentSettings } from './config/root-settings.ts';
import { EDITOR } from './editor-protocol.ts';
import type { OpenRoot } from './open-root.ts';
import { connectTo, residentSocket } from './resident-address.ts';
import { ResidentEditors } from './resident-editors.ts';
import { helloSchema, RESIDENT, type ResidentStatus } from './resident-protocol.ts';
import { type ConnectedSession, connectSession, type NamedSessions } from './resident-session.ts';
import { version } from './version.ts';

interface ResidentOptions {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Milliseconds without any connection after which it ends. */
  readonly idleMs: number;
  /** Nothing of the project may run. */
  readonly untrusted?: true | undefined;
  /** What files set for the root. */
  readonly settings?: ResidentSettings;
}

/** The one process that owns a root: its servers stay warm from call to call. */
export interface Resident {
  readonly socket: string;
  /** Settles when it has ended and its language servers with it. */
  readonly ended: Promise<void>;
  /** Ends it now. */
  stop(): Promise<void>;
}

/** How often it looks whether it can still be found. */
const LOOK_MS = 5000;

/**
 * Makes this process the resident of a root; `undefined` where another one is. The socket of one that died is taken
 * over.
 * @throws StoreError where the root is no folder
 */
export async function startResident(options: ResidentOptions): Promise<Resident | undefined> {
  const rpc = await import('vscode-jsonrpc/node');
  const socket = residentSocket(options.root);
  const server = createServer();
  const release = await createPathLockFiles().acquire(socket);
  try {
    const other = await connectTo(socket);
    if (other) {
      other.destroy();
      return undefined;
    }
    await unlink(socket).catch(ignoreAbsent);
    await listen(server, socket);
  } finally {
    await release();
  }
  // Who comes before the root is open waits.
  const early: Socket[] = [];
  const keep = (connection: Socket): void => void early.push(connection);
  server.on('connection', keep);
  const { ino } = await stat(socket);
  let resident: RunningResident | undefined;
  const editors = new ResidentEditors(() => resident?.fronts ?? 0);
  const untrusted = options.untrusted ?? options.settings?.root.untrusted;
  const rootOptions = { ...options.settings?.root, ...(untrusted && { untrusted }) };
  const root = await editors.openRoot(options.root, rootOptions);
  server.off('connection', keep);
  root.log?.write('info', 'resident_started', { pid: process.pid, version });
  for (const note of options.settings?.notes ?? []) root.log?.write('warn', 'config', { note });
  const parts = {
    socket,
    ino,
    server,
    early,
    openRoot: root,
    editors,
    idleMs: options.idleMs,
    rpc,
    untrusted,
    settings: options.settings,
  };
  resident = new RunningResident(parts);
  return resident;
}

type Rpc = typeof import('vscode-jsonrpc/node');

interface Parts {
  readonly socket: string;
  readonly ino: number;
  readonly server: Server;
  readonly early: readonly Socket[];
  readonly openRoot: OpenRoot;
  readonly editors: ResidentEditors;
  readonly idleMs: number;
  readonly rpc: Rpc;
  readonly untrusted: true | undefined;
  readonly settings: ResidentSettings | undefined;
}

class RunningResident implements Resident {
  readonly socket: string;
  readonly ended: Promise<void>;
  readonly #parts: Parts;
  readonly #connections = new Map<MessageConnection, ConnectedSession | undefined>();
  readonly #named: NamedSessions = new Map();
  readonly #startedAt = Date.now();
  #idle: NodeJS.Timeout | undefined;
  readonly #look: NodeJS.Timeout;
  #isRetired = false;
  #stopping: Promise<void> | undefined;
  #onEnd: () => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.socket = parts.socket;
    this.ended = new Promise((resolve) => {
      this.#onEnd = resolve;
    });
    parts.server.on('connection', (socket) => this.#accept(socket));
    // Without its socket nobody finds it any more, so nobody would ever stop it.
    this.#look = setInterval(() => void this.#isFindable().then((is) => !is && this.#retire()), LOOK_MS);
    this.#look.unref();
    this.#rest();
    for (const socket of parts.early) this.#accept(socket);
  }

  /** Agents that are connected; an editor's own connection has no tools. */
  get fronts(): number {
    return [...this.#connections.values()].filter((session) => session && session.host.tools.length > 0).length;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end();
    return this.#stopping;
  }

  #accept(socket: Socket): void {
    const { rpc } = this.#parts;
    const connection = rpc.createMessageConnection(
      new rpc.StreamMessageReader(socket),
      new rpc.StreamMessageWriter(socket),
    );
    clearTimeout(this.#idle);
    this.#connections.set(connection, undefined);
    socket.on('error', () => socket.destroy());
    // What is no JSON-RPC leaves no place in the stream from which to go on.
    connection.onError(() => socket.destroy());
    connection.onClose(() => {
      this.#connections.get(connection)?.end();
      this.#connections.delete(connection);
      connection.dispose();
      this.#parts.editors.show();
      if (this.#connections.size === 0) this.#rest();
    });
    connection.onRequest(RESIDENT.hello, (raw: unknown) => this.#welcome(connection, raw));
    connection.onRequest(EDITOR.look, () => this.#parts.editors.look());
    connection.onRequest(RESIDENT.status, () => this.#status());
    connection.onRequest(RESIDENT.retire, () => this.#retire());
    connection.onNotification(RESIDENT.stop, () => void this.stop());
    connection.listen();
  }

  async #welcome(connection: MessageConnection, raw: unknown) {
    const { openRoot: root, editors, settings } = this.#parts;
    const told = { version, pid: process.pid, root: root.root };
    if ((raw as { version?: unknown } | null)?.version !== version) return told;
    const hello = helloSchema.parse(raw);
    if (await haveChanged(settings)) return { ...told, outdated: true };
    if (hello.untrusted && !this.#parts.untrusted) return { ...told, refused: trustedAlready(root.root) };
    const session = connectSession(connection, hello, { root, named: this.#named, editors });
    if ('refused' in session) return { ...told, refused: session.refused };
    this.#connections.set(connection, session);
    editors.show();
    return { ...told, tools: session.host.tools };
  }

  #status(): ResidentStatus {
    const { openRoot: root } = this.#parts;
    return {
      version,
      pid: process.pid,
      root: root.root,
      upMs: Date.now() - this.#startedAt,
      connections: this.#connections.size,
      sessions: [...this.#named.keys()].map((id) => id.slice(id.lastIndexOf('\0') + 1)),
    };
  }

  /** No new connections; the last one that is there takes it along. */
  #retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#parts.server.close();
    if (this.#connections.size === 0) this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.stop(), this.#isRetired ? 0 : this.#parts.idleMs);
  }

  async #isFindable(): Promise<boolean> {
    const found = await stat(this.socket).catch(() => undefined);
    return found?.ino === this.#parts.ino;
  }

  async #end(): Promise<void> {
    this.#isRetired = true;
    clearTimeout(this.#idle);
    clearInterval(this.#look);
    this.#parts.server.close();
    for (const session of this.#connections.values()) session?.end();
    this.#parts.editors.close();
    this.#parts.openRoot.log?.write('info', 'resident_ended', { pid: process.pid });
    await this.#parts.openRoot.close();
    // Who asked for the end sees it by this: the servers are gone.
    for (const connection of this.#connections.keys()) connection.end();
    this.#onEnd();
  }
}

/** A file that is wrong now is told to whom it concerns: a front reads the settings of its own root. */
function haveChanged(settings: ResidentSettings | undefined): Promise<boolean> {
  return settings?.haveChanged().catch(() => false) ?? Promise.resolve(false);
}

function trustedAlready(root: string): string {
  return (
    `--untrusted: the resident process of ${root} was started without it, and may run what the project brings. ` +
    `End it (emend serve --stop --root ${root}), or use --in-process`
  );
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function ignoreAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
