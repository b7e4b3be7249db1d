import { type ChildProcess, spawn } from 'node:child_process';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver-protocol';
import { uriOfPath } from '../../src/workspace/uri.ts';

/** How a server is asked for the diagnostics of one file. */
export type BareKind = 'pull' | 'tsserver' | 'push';

interface PublishedParams {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly { readonly severity?: number }[];
}

/** The least that a language client can be: what emend's own time is held against. */
export class BareClient {
  readonly #process: ChildProcess;
  readonly #connection: MessageConnection;
  #version = 1;

  private constructor(child: ChildProcess, connection: MessageConnection) {
    this.#process = child;
    this.#connection = connection;
  }

  static async start(
    argv: readonly [string, ...string[]],
    root: string,
    initializationOptions: unknown = {},
  ): Promise<BareClient> {
    const [command, ...args] = argv;
    const child = spawn(command, args, { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
    if (!child.stdout || !child.stdin) throw new Error(`${command} has no pipes`);
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const registered = new Promise<void>((resolve) => {
      connection.onRequest('client/registerCapability', (params: { registrations: { method: string }[] }) => {
        if (params.registrations.some(({ method }) => method === 'textDocument/diagnostic')) resolve();
        return null;
      });
    });
    connection.onRequest('workspace/configuration', (params: { items: unknown[] }) => params.items.map(() => null));
    connection.onRequest('window/workDoneProgress/create', () => null);
    connection.onRequest('workspace/diagnostic/refresh', () => null);
    connection.listen();
    const { capabilities } = await connection.sendRequest<{ capabilities: { diagnosticProvider?: unknown } }>(
      'initialize',
      {
        processId: process.pid,
        rootUri: uriOfPath(root),
        workspaceFolders: [{ uri: uriOfPath(root), name: 'root' }],
        initializationOptions,
        capabilities: {
          textDocument: {
            diagnostic: { dynamicRegistration: true },
            definition: { linkSupport: true },
            documentSymbol: { hierarchicalDocumentSymbolSupport: true },
            publishDiagnostics: { versionSupport: true },
          },
          workspace: { configuration: true, workspaceFolders: true },
        },
      },
    );
    await connection.sendNotification('initialized', {});
    if (!capabilities.diagnosticProvider && argv.some((part) => part.includes('pyright'))) await registered;
    return new BareClient(child, connection);
  }

  async open(path: string, languageId: string, text: string): Promise<void> {
    await this.#connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri: uriOfPath(path), languageId, version: this.#version, text },
    });
  }

  /** Sends a change and asks; the number of errors. */
  async change(path: string, change: TextDocumentContentChangeEvent, kind: BareKind): Promise<number> {
    this.#version += 1;
    await this.#connection.sendNotification('textDocument/didChange', {
      textDocument: { uri: uriOfPath(path), version: this.#version },
      contentChanges: [change],
    });
    return this.ask(path, kind);
  }

  /** What is published of the version that the server was told last. */
  #published(path: string): Promise<number> {
    return new Promise((resolve) => {
      const listening = this.#connection.onNotification(
        'textDocument/publishDiagnostics',
        ({ uri, version, diagnostics }: PublishedParams) => {
          if (uri !== uriOfPath(path) || version !== this.#version) return;
          listening.dispose();
          resolve(diagnostics.filter(({ severity }) => severity === 1).length);
        },
      );
    });
  }

  async ask(path: string, kind: BareKind): Promise<number> {
    if (kind === 'push') return this.#published(path);
    if (kind === 'pull') {
      const report = await this.#connection.sendRequest<{ items: { severity?: number }[] }>('textDocument/diagnostic', {
        textDocument: { uri: uriOfPath(path) },
      });
      return report.items.filter(({ severity }) => severity === 1).length;
    }
    const answers = await Promise.all(
      ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'].map((command) =>
        this.#connection.sendRequest<{ body: { category?: string }[] }>('workspace/executeCommand', {
          command: 'typescript.tsserverRequest',
          arguments: [command, { file: path, includeLinePosition: true }],
        }),
      ),
    );
    return answers.flatMap(({ body }) => body).filter(({ category }) => category === 'error').length;
  }

  /** Any request; positions in UTF-16. */
  request(method: string, params: unknown): Promise<unknown> {
    return this.#connection.sendRequest(method, params);
  }

  /** Any notification. */
  notify(method: string, params: unknown): Promise<void> {
    return this.#connection.sendNotification(method, params);
  }

  stop(): void {
    this.#connection.dispose();
    this.#process.kill('SIGKILL');
  }
}
