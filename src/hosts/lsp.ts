import { resolve } from 'node:path';
import {
  type Connection,
  createConnection,
  type InitializeParams,
  type InitializeResult,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import * as z from 'zod';
import { realPathOf } from '../workspace/disk-real-path.ts';
import type { LogThreshold } from '../workspace/log.ts';
import { isWideFolder } from '../workspace/search/local-wide-root.ts';
import { pathOfUri } from '../workspace/uri.ts';
import { parseOptions } from './command-options.ts';
import { EditorFront } from './editor-front.ts';
import { type Activity, diagnosedSchema } from './editor-protocol.ts';
import { joinResident } from './join-resident.ts';
import { version } from './version.ts';
import { withoutUndefined } from './without-undefined.ts';

/** What an editor's side may send beside LSP; all of it is left out by editors that know nothing of emend. */
const CLIENT = {
  /** To us, `Diagnosed` with the editor's version: what the editor's own servers say of a document. */
  diagnosed: 'emend/diagnosed',
  /** To us: take the last agent edit back. Answers `{ ok, text }`. */
  undo: 'emend/undo',
  /** From us: an `Activity`. */
  activity: 'emend/activity',
} as const;

const initializationSchema = z.object({
  /** `editor`: the client sends `emend/diagnosed`. `own` (the default): emend's own servers run. */
  diagnostics: z.enum(['editor', 'own']).default('own'),
  /** The client wants `emend/activity`. */
  activity: z.boolean().default(false),
});

const fromClient = diagnosedSchema.extend({ version: z.number().nullish() });

/** `emend lsp`: a language server to an editor, on standard input and output, until the editor hangs up. */
export async function lsp(rawOptions: Record<string, unknown>): Promise<void> {
  const options = parseOptions(rawOptions);
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const server = serveEditor(connection, { roots: options.root ?? [], logLevel: options.logLevel });
  process.once('exit', () => server.close());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0));
  connection.listen();
}

/** The same on any pair of streams, for an editor in this process. */
export function lspOnStreams(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  roots: readonly string[],
): { close(): void } {
  const connection = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(input),
    new StreamMessageWriter(output),
  );
  const server = serveEditor(connection, { roots });
  connection.listen();
  return server;
}

function serveEditor(
  connection: Connection,
  { roots, logLevel }: { readonly roots: readonly string[]; readonly logLevel?: LogThreshold | undefined },
): { close(): void } {
  let front: EditorFront | undefined;
  let leave = (): void => undefined;

  connection.onInitialize(async (params): Promise<InitializeResult> => {
    const folders = await foldersOf(params, roots);
    const { diagnostics, activity } = initializationSchema.parse(params.initializationOptions ?? {});
    front = new EditorFront({
      name: params.clientInfo?.name ?? 'the editor',
      diagnostics,
      folders,
      apply: ({ uri, version: planned, edits }) =>
        connection.workspace.applyEdit({
          label: 'emend: agent edit',
          edit: { documentChanges: [{ textDocument: { uri, version: planned }, edits }] },
        }),
      onActivity: (shown: Activity) => {
        if (activity) void connection.sendNotification(CLIENT.activity, shown).catch(() => undefined);
      },
    });
    await front.start();
    const [first] = folders;
    if (first !== undefined)
      leave = stayJoined(first, { logLevel, complain: (reason) => connection.console.warn(reason) });
    return {
      capabilities: { textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental } },
      serverInfo: { name: 'emend', version },
    };
  });
  connection.onDidOpenTextDocument((params) => void front?.opened(params));
  connection.onDidChangeTextDocument((params) => void front?.changed(params));
  connection.onDidCloseTextDocument(({ textDocument }) => void front?.closed(textDocument.uri));
  connection.onNotification(CLIENT.diagnosed, (raw: unknown) => {
    const { version: said, ...diagnosed } = fromClient.parse(raw);
    void front?.diagnosed({ ...diagnosed, ...(said != null && { version: said }) });
  });
  connection.onRequest(
    CLIENT.undo,
    async () => front?.undo() ?? { ok: false, text: 'The editor has not said hello yet.' },
  );
  const close = (): void => {
    leave();
    front?.close();
    front = undefined;
  };
  connection.onShutdown(close);
  return { close };
}

async function foldersOf(params: InitializeParams, roots: readonly string[]): Promise<readonly string[]> {
  const uris = params.workspaceFolders?.map(({ uri }) => uri) ?? (params.rootUri ? [params.rootUri] : []);
  const named = roots.length > 0 ? roots.map((root) => resolve(root)) : uris.flatMap((uri) => pathOfUri(uri) ?? []);
  const real = await Promise.all((named.length > 0 ? named : [process.cwd()]).map((path) => realPathOf(path)));
  return real.filter((folder) => !isWideFolder(folder));
}

/**
 * Keeps the root's resident process there while the editor is, so that an agent's first call finds it warm. Without it
 * nothing is lost: whichever process comes later fetches the buffers.
 */
function stayJoined(
  root: string,
  { logLevel, complain }: { readonly logLevel: LogThreshold | undefined; complain(reason: string): void },
): () => void {
  let hasLeft = false;
  const joined = joinResident({
    roots: [root],
    allow: [],
    isUnconfined: false,
    env: withoutUndefined({ ...process.env }) as Record<string, string>,
    ...(logLevel && { logLevel }),
    // It calls nothing.
    choice: { tools: [] },
  }).catch((error: unknown) => complain(`no resident process yet: ${error instanceof Error ? error.message : error}`));
  void joined.then((resident) => hasLeft && resident?.connection.end());
  return () => {
    hasLeft = true;
    void joined.then((resident) => resident?.connection.end());
  };
}
