import type { Socket } from 'node:net';
import type { MessageConnection } from 'vscode-jsonrpc/node';
import { foldersUp } from '../workspace/language-server/server-machine.ts';
import { isWideFolder } from '../workspace/search/local-wide-root.ts';
import { launchResident } from './launch-resident.ts';
import { connectTo, residentSocket } from './resident-address.ts';
import { type Hello, RESIDENT, welcomeSchema } from './resident-protocol.ts';
import type { ToolListing } from './tool-host.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** A session with the resident process of a root. */
export interface JoinedResident {
  readonly connection: MessageConnection;
  /** The root that it owns: the front's own or a folder above it. */
  readonly root: string;
  readonly pid: number;
  readonly tools: readonly ToolListing[];
}

const MAX_TRIES = 5;
/** Who has not answered by then is no resident of ours, or hangs. */
const HELLO_MS = 10_000;

/**
 * Joins the resident that owns a root or the nearest folder above it, and starts one where there is none. One of
 * another version, or of settings that were changed since, is retired: it serves whom it serves, and a new one takes
 * its place.
 * @throws Error saying why none could be started
 */
export async function joinResident(hello: Omit<Hello, 'version'>): Promise<JoinedResident> {
  const [root] = hello.roots;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    for (const folder of foldersUp(root)) {
      // What serves `/` or a whole home folder was started by mistake more often than not.
      if (folder !== root && isWideFolder(folder)) continue;
      const socket = await connectTo(residentSocket(folder));
      const joined = socket && (await greet(socket, { ...hello, version }));
      if (joined === 'retired') break;
      if (joined) return joined;
    }
    if (!(await isThere(root))) await launchResident(root, launchOptions(hello));
  }
  throw new Error(`the resident process of ${root} comes and goes. See emend serve --status, or use --in-process`);
}

/** A connection to the resident of exactly this root, for whoever wants to talk about it rather than to its tools. */
export async function reachResident(root: string): Promise<MessageConnection | undefined> {
  const socket = await connectTo(residentSocket(root));
  return socket && (await openConnection(socket));
}

function launchOptions({ untrusted, logLevel }: Omit<Hello, 'version'>): readonly string[] {
  return [...(untrusted ? ['--untrusted'] : []), ...(logLevel ? ['--log-level', logLevel] : [])];
}

async function isThere(root: string): Promise<boolean> {
  const socket = await connectTo(residentSocket(root));
  socket?.destroy();
  return socket !== undefined;
}

/** `undefined`: it went away meanwhile. */
async function greet(socket: Socket, hello: Hello): Promise<JoinedResident | 'retired' | undefined> {
  const connection = await openConnection(socket);
  let isGone = false;
  const gone = new Promise<undefined>((resolve) => {
    connection.onClose(() => {
      isGone = true;
      resolve(undefined);
    });
  });
  const answered = connection.sendRequest(RESIDENT.hello, hello);
  // The race is lost by whoever is late; a failure of a connection that is gone is not news.
  answered.catch(() => undefined);
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, HELLO_MS);
  const answer = await Promise.race([answered, gone]).finally(() => clearTimeout(late));
  if (isLate) throw new Error(`what listens for ${hello.roots[0]} does not answer`);
  if (isGone || answer === undefined) return undefined;
  const welcome = welcomeSchema.parse(answer);
  if (welcome.version !== version || welcome.outdated) {
    await Promise.race([connection.sendRequest(RESIDENT.retire).catch(() => undefined), gone]);
    connection.end();
    return 'retired';
  }
  if (welcome.refused !== undefined) {
    connection.end();
    throw new UsageError(welcome.refused);
  }
  return {
    connection,
    root: welcome.root,
    pid: welcome.pid,
    tools: (welcome.tools ?? []) as readonly ToolListing[],
  };
}

async function openConnection(socket: Socket): Promise<MessageConnection> {
  const rpc = await import('vscode-jsonrpc/node');
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(socket),
    new rpc.StreamMessageWriter(socket),
  );
  socket.on('error', () => socket.destroy());
  connection.onError(() => socket.destroy());
  connection.listen();
  return connection;
}
