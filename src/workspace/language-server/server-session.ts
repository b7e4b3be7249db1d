import type { InitializeResult, ServerCapabilities } from 'vscode-languageserver-protocol';
import type { Log } from '../log.ts';
import type { Run } from '../run.ts';
import { uriOfPath } from '../uri.ts';
import { CLIENT_CAPABILITIES } from './client-capabilities.ts';
import { answerServerRequests } from './client-requests.ts';
import { HeldChanges } from './held-changes.ts';
import { createMessageReader } from './message-reader.ts';
import { createMessageWriter } from './message-writer.ts';
import { PendingRequests } from './pending-requests.ts';
import type { PositionEncoding } from './position-encoding.ts';
import { Registrations } from './registrations.ts';
import type { ResolvedServer } from './resolve-server.ts';
import { ServerFailure } from './server-failure.ts';
import { ServerLife } from './server-life.ts';
import { launchServer, type ServerProcess } from './server-process.ts';
import type { ChangeForm } from './synced-documents.ts';
import type { Watchdog } from './watchdog.ts';

/** What one process is started from and with. */
export interface SessionOptions {
  readonly server: ResolvedServer;
  readonly run: Run;
  /** Absent: the executor ends what it started by other means. */
  readonly watchdog: Watchdog | undefined;
  readonly log?: Log | undefined;
  readonly initializeTimeoutMs: number;
  /** Ends the process, also while it starts. */
  readonly signal: AbortSignal;
  /** Each notification, also those that come before the server is initialized. */
  readonly onNotification: (method: string, params: unknown) => void;
}

/** One life of one server process, from `initialize` to its end. */
export interface ServerSession {
  /** The process group; absent where the executor has no numbers that mean anything here. */
  readonly pid: number | undefined;
  readonly capabilities: ServerCapabilities;
  readonly serverVersion: string | undefined;
  readonly positionEncoding: PositionEncoding;
  readonly takes: ChangeForm;
  readonly registrations: Registrations;
  readonly heldChanges: HeldChanges;
  /** Settles with the reason when the process has ended; never rejects. */
  readonly ended: Promise<string>;
  /** @throws ServerFailure `refused`, `ended`, or `hung` after `timeoutMs` */
  request(method: string, params: unknown, timeoutMs: number): Promise<unknown>;
  /** Does nothing once the process has ended. */
  notify(method: string, params: unknown): void;
  /** `shutdown` and `exit`, then the signals; settles when no process of the group is left. */
  stop(): Promise<void>;
  /** Ends the group at once. */
  kill(): void;
}

/**
 * Starts a server and initializes it.
 * @throws ServerFailure `not_started` with the exit and the last words on stderr, or `hung`
 */
export async function startSession(options: SessionOptions): Promise<ServerSession> {
  const { server } = options;
  const rpc = await import('vscode-jsonrpc/node');
  const life = new ServerLife(server, options.log);
  const launched = await launchServer(options).catch((error: unknown) => life.notStarted(error));
  life.launched(launched);
  const onAbort = (): void => launched.kill();
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort);
  const connection = rpc.createMessageConnection(
    createMessageReader(launched.stdout),
    createMessageWriter(launched.stdin),
  );
  const registrations = new Registrations();
  const { ResponseError } = rpc;
  answerServerRequests(connection, { server, registrations, onOther: options.onNotification, ResponseError });
  connection.onNotification((method, params) => options.onNotification(method, params));
  connection.onUnhandledProgress((progress) => options.onNotification('$/progress', progress));
  // What can't be parsed leaves us without a place in the stream: only a new process can be trusted.
  connection.onError(() => launched.kill());
  connection.onClose(() => launched.kill());

  const pending = new PendingRequests(launched.ended);
  void launched.ended.then(() => {
    options.signal.removeEventListener('abort', onAbort);
    connection.dispose();
  });
  connection.listen();
  const over = async (): Promise<never> => {
    throw new ServerFailure('ended', await launched.ended);
  };
  const request: ServerSession['request'] = (method, params, timeoutMs) => {
    if (launched.hasEnded()) return over();
    // An explicit `undefined` would be sent as `[null]`, which some servers refuse.
    const sent = params === undefined ? connection.sendRequest(method) : connection.sendRequest(method, params);
    return pending.wait(sent, { method, timeoutMs });
  };
  const notify: ServerSession['notify'] = (method, params) => {
    if (!launched.hasEnded()) void send(connection.sendNotification(method, params));
  };

  const initialized = await initialize(options, request, launched);
  life.started(initialized.serverInfo?.version);
  notify('initialized', {});
  notify('workspace/didChangeConfiguration', { settings: server.settings });
  return {
    pid: launched.pid,
    capabilities: initialized.capabilities,
    serverVersion: initialized.serverInfo?.version,
    positionEncoding: encodingOf(initialized.capabilities.positionEncoding),
    takes: changeFormOf(initialized.capabilities.textDocumentSync),
    registrations,
    heldChanges: new HeldChanges(registrations, server.definition.languages),
    ended: launched.ended,
    request,
    notify,
    stop: () => {
      life.asked('stopped');
      return stop({ launched, request, notify });
    },
    kill: () => {
      life.asked('killed');
      launched.kill();
    },
  };
}

async function initialize(
  options: SessionOptions,
  request: ServerSession['request'],
  launched: ServerProcess,
): Promise<InitializeResult> {
  const { server } = options;
  const uri = uriOfPath(server.root);
  const params = {
    // Servers that poll it end when we are gone; where our number means nothing they would end at once.
    processId: launched.pid === undefined ? null : process.pid,
    clientInfo: { name: 'emend' },
    rootUri: uri,
    workspaceFolders: [{ uri, name: server.root.slice(server.root.lastIndexOf('/') + 1) }],
    capabilities: CLIENT_CAPABILITIES,
    ...(server.initializationOptions ? { initializationOptions: server.initializationOptions } : {}),
  };
  try {
    return (await request('initialize', params, options.initializeTimeoutMs)) as InitializeResult;
  } catch (cause) {
    launched.kill();
    await launched.ended;
    const reason = cause instanceof ServerFailure ? cause.message : String(cause);
    throw new ServerFailure('not_started', `it did not start: ${reason}`, { cause });
  }
}

const ASK_MS = 2000;
const TERM_MS = 2000;

async function stop(session: {
  readonly launched: ServerProcess;
  readonly request: ServerSession['request'];
  readonly notify: ServerSession['notify'];
}): Promise<void> {
  const { launched } = session;
  const asked = session
    .request('shutdown', undefined, ASK_MS)
    .then(() => {
      session.notify('exit', undefined);
      // Some read on until their input ends.
      launched.stdin.end();
    })
    // A server that can't say goodbye is ended by the signals below.
    .catch(() => {});
  await within(
    ASK_MS,
    asked.then(() => within(ASK_MS / 2, launched.ended)),
  );
  if (!launched.hasEnded()) {
    launched.terminate();
    await within(TERM_MS, launched.ended);
  }
  launched.kill();
  await launched.ended;
}

async function within(ms: number, settled: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([settled, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}

async function send(sent: Promise<void>): Promise<void> {
  // A pipe that broke is a process that ended, and `ended` says so to everybody who waits.
  await sent.catch(() => {});
}

/** LSP `TextDocumentSyncKind` 1: the whole text with each change. */
function changeFormOf(sync: ServerCapabilities['textDocumentSync']): ChangeForm {
  return (typeof sync === 'object' ? sync.change : sync) === 1 ? 'whole' : 'parts';
}

function encodingOf(encoding: string | undefined): PositionEncoding {
  return encoding === 'utf-8' || encoding === 'utf-32' ? encoding : 'utf-16';
}
