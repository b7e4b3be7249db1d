import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import {
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditResult,
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { lspOnStreams } from '../../src/hosts/lsp.ts';
import { applySpanEdits, type SpanEdit } from '../../src/workspace/span.ts';
import { uriOfPath } from '../../src/workspace/uri.ts';

/** What a buffer went through. */
export interface LogEntry {
  readonly by: 'person' | 'agent';
  readonly before: string;
  readonly after: string;
  readonly version: number;
}

/** An editor in this process: it has buffers with versions, and speaks the protocol to `emend lsp`. */
export interface TestEditor {
  readonly connection: ProtocolConnection;
  readonly log: readonly LogEntry[];
  open(path: string, text: string): Promise<void>;
  /** The person types. */
  type(path: string, edit: SpanEdit): void;
  close(path: string): Promise<void>;
  text(path: string): string;
  version(path: string): number;
  /** What its own servers say of a buffer. */
  diagnose(path: string, diagnostics: readonly object[]): Promise<void>;
  /** Hangs up, as one that was killed does. */
  kill(): void;
}

export interface EditorOptions {
  readonly root: string;
  readonly initializationOptions?: object;
  /** Instead of doing what it is asked for. */
  readonly onApplyEdit?: (params: ApplyWorkspaceEditParams) => Promise<ApplyWorkspaceEditResult>;
  /** Before it does what it is asked for, as an editor that is busy. */
  readonly beforeApply?: () => Promise<void>;
  /** `yes`: says that it made edits which it dropped for their version, as Neovim does. */
  readonly answerToDropped?: 'yes' | 'no';
}

export async function startEditor(options: EditorOptions): Promise<TestEditor> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = lspOnStreams(toServer, toClient, []);
  const connection = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  const documents = new Map<string, TextDocument>();
  const log: LogEntry[] = [];

  const change = (uri: string, edits: readonly SpanEdit[], by: LogEntry['by']): void => {
    const before = documentOf(uri);
    const text = applySpanEdits(before.getText(), edits);
    const version = before.version + 1;
    documents.set(uri, TextDocument.create(uri, before.languageId, version, text));
    log.push({ by, before: before.getText(), after: text, version });
    const contentChanges = [...edits]
      .sort((a, b) => b.start - a.start)
      .map(({ start, end, newText }) => ({
        range: { start: before.positionAt(start), end: before.positionAt(end) },
        text: newText,
      }));
    void connection
      .sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges })
      .catch(() => undefined);
  };
  const documentOf = (uri: string): TextDocument => {
    const document = documents.get(uri);
    if (!document) throw new Error(`${uri} is not open`);
    return document;
  };
  connection.onRequest('workspace/applyEdit', async (params: ApplyWorkspaceEditParams) => {
    if (options.onApplyEdit) return options.onApplyEdit(params);
    await options.beforeApply?.();
    for (const one of params.edit.documentChanges ?? []) {
      if (!TextDocumentEdit.is(one)) throw new Error('only text edits are expected');
      const document = documents.get(one.textDocument.uri);
      if (document?.version !== one.textDocument.version) return { applied: options.answerToDropped === 'yes' };
      const edits = one.edits.map((edit) => {
        if (!('newText' in edit)) throw new Error('only plain edits are expected');
        const { range, newText } = edit;
        return { start: document.offsetAt(range.start), end: document.offsetAt(range.end), newText };
      });
      change(one.textDocument.uri, edits, 'agent');
    }
    return { applied: true };
  });
  connection.listen();
  const kill = (): void => {
    server.close();
    connection.dispose();
    toServer.destroy();
    toClient.destroy();
  };
  onTestFinished(kill);
  await connection.sendRequest('initialize', {
    processId: null,
    clientInfo: { name: 'test editor' },
    rootUri: uriOfPath(options.root),
    capabilities: { workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } } },
    workspaceFolders: [{ uri: uriOfPath(options.root), name: 'root' }],
    initializationOptions: options.initializationOptions,
  });
  void connection.sendNotification('initialized', {}).catch(() => undefined);
  return {
    connection,
    log,
    async open(path, text) {
      const uri = uriOfPath(path);
      documents.set(uri, TextDocument.create(uri, 'plaintext', 1, text));
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'plaintext', version: 1, text },
      });
    },
    type: (path, edit) => change(uriOfPath(path), [edit], 'person'),
    async close(path) {
      documents.delete(uriOfPath(path));
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOfPath(path) } });
    },
    text: (path) => documentOf(uriOfPath(path)).getText(),
    version: (path) => documentOf(uriOfPath(path)).version,
    async diagnose(path, diagnostics) {
      const uri = uriOfPath(path);
      await connection.sendNotification('emend/diagnosed', { uri, version: documentOf(uri).version, diagnostics });
    },
    kill,
  };
}
