import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { type Activity, describeActivity, diffOf } from './activity-words.ts';
import { diagnosedParams } from './diagnosed-params.ts';

const DIFF_SCHEME = 'emend-edit';

/** Starts emend for this window, once its workspace is trusted. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel('emend', { log: true });
  const window = new EmendWindow(output);
  context.subscriptions.push(output, window, ...window.commands());
  if (vscode.workspace.isTrusted) await window.start();
  else context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(() => window.start()));
}

/** What one window shows of emend, and what it tells it. */
class EmendWindow implements vscode.Disposable {
  readonly #output: vscode.LogOutputChannel;
  readonly #item = vscode.window.createStatusBarItem('emend', vscode.StatusBarAlignment.Right, 10);
  readonly #diffChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #watches: vscode.Disposable[] = [];
  #client: LanguageClient | undefined;
  #activity: Activity | undefined;

  constructor(output: vscode.LogOutputChannel) {
    this.#output = output;
    this.#item.name = 'emend';
    this.#item.command = 'emend.showLastEdit';
    this.#watches.push(
      this.#item,
      vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#handOver(uris)),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('emend') && this.restart()),
      vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, {
        onDidChange: this.#diffChanged.event,
        provideTextDocumentContent: () => diffOf(this.#activity),
      }),
    );
  }

  commands(): readonly vscode.Disposable[] {
    return [
      vscode.commands.registerCommand('emend.showLastEdit', () => this.#showLastEdit()),
      vscode.commands.registerCommand('emend.undoLastEdit', () => this.#undo()),
      vscode.commands.registerCommand('emend.showOutput', () => this.#output.show()),
      vscode.commands.registerCommand('emend.restart', () => this.restart()),
    ];
  }

  async start(): Promise<void> {
    const settings = vscode.workspace.getConfiguration('emend');
    const [command = 'emend', ...args] = settings.get<readonly string[]>('command') ?? [];
    const isOwn = settings.get<boolean>('ownServer') === true;
    const client = new LanguageClient(
      'emend',
      'emend',
      { command, args, transport: TransportKind.stdio },
      {
        documentSelector: [{ scheme: 'file' }],
        outputChannel: this.#output,
        initializationOptions: { diagnostics: isOwn ? 'own' : 'editor', activity: true },
      },
    );
    client.onNotification('emend/activity', (activity: Activity) => this.#show(activity));
    this.#client = client;
    this.#show(undefined);
    try {
      await client.start();
      // Silence may mean that nobody has looked yet.
      const open = vscode.workspace.textDocuments.map(({ uri }) => uri);
      this.#handOver(open.filter((uri) => vscode.languages.getDiagnostics(uri).length > 0));
    } catch (error) {
      this.#item.text = '$(error) emend';
      this.#item.tooltip = `emend did not start: ${command}. Install it, or set emend.command`;
      this.#output.info(`${this.#item.tooltip} (${error instanceof Error ? error.message : String(error)})`);
    }
  }

  async restart(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    await this.#stop();
    await this.start();
  }

  dispose(): void {
    for (const watch of this.#watches) watch.dispose();
    void this.#stop();
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    // One that did not start has nothing to stop.
    await client?.stop().catch(() => undefined);
  }

  #show(activity: Activity | undefined): void {
    const before = this.#activity?.lastEdit?.id;
    this.#activity = activity;
    const { text, tooltip } = describeActivity(activity);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.show();
    const last = activity?.lastEdit;
    if (!last || last.id === before) return;
    this.#output.info(`${last.time} ${last.tool} ${last.id}: ${last.files.map(({ path }) => path).join(', ')}`);
    this.#diffChanged.fire(vscode.Uri.from({ scheme: DIFF_SCHEME, path: '/last agent edit.diff' }));
  }

  #handOver(uris: readonly vscode.Uri[]): void {
    const client = this.#client;
    if (!client?.isRunning()) return;
    for (const uri of uris) {
      const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
      if (document?.uri.scheme !== 'file') continue;
      const said = diagnosedParams(
        client.code2ProtocolConverter.asUri(uri),
        document.version,
        vscode.languages.getDiagnostics(uri),
      );
      void client.sendNotification('emend/diagnosed', said).catch(() => undefined);
    }
  }

  async #showLastEdit(): Promise<void> {
    if (!this.#activity?.lastEdit) {
      void vscode.window.showInformationMessage('No agent has changed anything here yet.');
      return;
    }
    const uri = vscode.Uri.from({ scheme: DIFF_SCHEME, path: '/last agent edit.diff' });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, 'diff');
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }

  async #undo(): Promise<void> {
    if (!this.#client?.isRunning()) return;
    const { ok, text } = await this.#client.sendRequest<{ readonly ok: boolean; readonly text: string }>(
      'emend/undo',
      {},
    );
    this.#output.info(text);
    const [first = text] = text.split('\n');
    void (ok ? vscode.window.showInformationMessage(first) : vscode.window.showWarningMessage(first));
  }
}
