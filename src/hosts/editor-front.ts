import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { SpanEdit } from '../workspace/span.ts';
import { EditorDocuments } from './editor-documents.ts';
import {
  type Activity,
  type Attached,
  activitySchema,
  applyEditSchema,
  type Diagnosed,
  EDITOR,
} from './editor-protocol.ts';
import { connectToResidents, newEditorSocket } from './editor-sockets.ts';

interface EditorFrontOptions {
  readonly name: string;
  readonly diagnostics: Attached['diagnostics'];
  /** Real paths. */
  readonly folders: readonly string[];
  /** Has the editor make a change of an open document; `uri` and `version` are the editor's. */
  apply(
    edit: ReturnType<EditorDocuments['textEdits']> & { readonly uri: string },
  ): Promise<{ readonly applied: boolean }>;
  onActivity(activity: Activity): void;
}

/** So long a resident process may take to fetch the buffers of a new editor. */
const LOOK_MS = 3000;

/**
 * One editor's side of the pipe: keeps what it has open, and tells every resident process of the user, each of which
 * comes to its socket by itself.
 */
export class EditorFront {
  readonly #options: EditorFrontOptions;
  readonly #documents = new EditorDocuments();
  readonly #diagnosed = new Map<string, Diagnosed>();
  readonly #links = new Map<MessageConnection, Activity | undefined>();
  readonly #socket = newEditorSocket();
  readonly #server: Server;
  /** News go out in the order in which the editor told them. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: EditorFrontOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Listens, and has every resident that runs fetch what is open. */
  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#socket, resolve);
    });
    await Promise.all((await connectToResidents()).map(callOver));
  }

  /** Takes one message of the editor; those before it are through by then. */
  opened(params: Parameters<EditorDocuments['open']>[0]): Promise<void> {
    return this.#inOrder(async () => {
      const buffer = await this.#documents.open(params);
      if (buffer) this.#tell(EDITOR.opened, buffer);
    });
  }

  changed(params: Parameters<EditorDocuments['change']>[0]): Promise<void> {
    return this.#inOrder(async () => {
      const steps = this.#documents.change(params);
      if (steps) this.#tell(EDITOR.changed, steps);
    });
  }

  closed(uri: string): Promise<void> {
    return this.#inOrder(async () => {
      this.#diagnosed.delete(uri);
      if (this.#documents.close(uri)) this.#tell(EDITOR.closed, { uri });
    });
  }

  /** What the editor's own servers say; `version` is the editor's, and findings of an older text are left out. */
  diagnosed({
    uri,
    version,
    diagnostics,
  }: Omit<Diagnosed, 'version'> & { version?: number | undefined }): Promise<void> {
    return this.#inOrder(async () => {
      const at = this.#documents.versionAt(uri, version);
      if (at === undefined) return;
      const diagnosed = { uri, version: at, diagnostics };
      this.#diagnosed.set(uri, diagnosed);
      this.#tell(EDITOR.diagnosed, diagnosed);
    });
  }

  /** Takes back the last change that an agent made, wherever it came from; what a model would read of it. */
  async undo(): Promise<{ readonly ok: boolean; readonly text: string }> {
    const [latest] = [...this.#links]
      .filter(([, activity]) => activity?.lastEdit)
      .sort(([, a], [, b]) => (b?.lastEdit?.time ?? '').localeCompare(a?.lastEdit?.time ?? ''));
    if (!latest) return { ok: false, text: 'No agent has changed anything since the editor started.' };
    return latest[0].sendRequest(EDITOR.undo);
  }

  close(): void {
    for (const link of this.#links.keys()) link.end();
    this.#server.close();
    rmSync(this.#socket, { force: true });
  }

  #accept(socket: Socket): void {
    const link = createMessageConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket));
    socket.on('error', () => socket.destroy());
    link.onError(() => socket.destroy());
    link.onClose(() => {
      this.#links.delete(link);
      link.dispose();
    });
    link.onRequest(EDITOR.attach, () => this.#inOrder(async () => this.#attach(link)));
    link.onRequest(EDITOR.applyEdit, (raw: unknown) => this.#apply(raw));
    link.onNotification(EDITOR.activity, (raw: unknown) => {
      const activity = activitySchema.parse(raw);
      this.#links.set(link, activity);
      this.#options.onActivity({ ...activity, fronts: this.#fronts() });
    });
    link.listen();
  }

  #attach(link: MessageConnection): Attached {
    this.#links.set(link, undefined);
    const { name, diagnostics, folders } = this.#options;
    return {
      name,
      diagnostics,
      folders: [...folders],
      buffers: [...this.#documents.list()],
      diagnosed: [...this.#diagnosed.values()],
    };
  }

  async #apply(raw: unknown): Promise<{ readonly applied: boolean }> {
    const { uri, version, edits } = applyEditSchema.parse(raw);
    // What the editor told meanwhile is looked at first.
    const planned = await this.#inOrder(async () => this.#planned(uri, version, edits));
    return planned ? this.#options.apply({ ...planned, uri }) : { applied: false };
  }

  #planned(uri: string, version: number, edits: readonly SpanEdit[]): ReturnType<EditorDocuments['textEdits']> {
    return this.#documents.textEdits(uri, version, edits);
  }

  #fronts(): number {
    return [...this.#links.values()].reduce((sum, activity) => sum + (activity?.fronts ?? 0), 0);
  }

  #tell(method: string, params: object): void {
    // A resident that has just ended is told nothing more.
    for (const link of this.#links.keys()) void link.sendNotification(method, params).catch(() => undefined);
  }

  #inOrder<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Has a resident look for editors. One that hangs is not waited for. */
async function callOver(socket: Socket): Promise<void> {
  const connection = createMessageConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket));
  socket.on('error', () => socket.destroy());
  connection.listen();
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LOOK_MS);
    connection.onClose(resolve);
  });
  // One of an older version knows no editors.
  const looked = connection.sendRequest(EDITOR.look).catch(() => undefined);
  await Promise.race([looked, tooLong]);
  clearTimeout(timer);
  connection.end();
  socket.end();
}
