import type { Socket } from 'node:net';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import * as z from 'zod';
import { type EditorCover, EditorDiagnosticsBoard } from '../diagnostics/editor-diagnostics-board.ts';
import { severityOf } from '../diagnostics/raw-diagnostic.ts';
import { systemClock } from '../workspace/clock.ts';
import { isWithin } from '../workspace/deny-list.ts';
import { languageIdOf } from '../workspace/document-snapshot.ts';
import { type BufferEdit, createOverlayStore, type OverlayStore } from '../workspace/overlay-store.ts';
import { applySpanEdits } from '../workspace/span.ts';
import {
  type Activity,
  type Attached,
  attachedSchema,
  bufferSchema,
  changedSchema,
  type Diagnosed,
  diagnosedSchema,
  EDITOR,
  type EditorBuffer,
} from './editor-protocol.ts';
import { connectToEditors } from './editor-sockets.ts';
import type { RootLayers } from './open-root.ts';

interface Link {
  readonly connection: MessageConnection;
  attached: Attached | undefined;
  readonly buffers: Map<string, EditorBuffer>;
}

interface EditorLinksOptions {
  /** A buffer is gone: what it had, for whoever saw it. */
  onGone(buffer: EditorBuffer): void;
  /** Takes the last change back, for the person at the editor. */
  undo(): Promise<{ readonly ok: boolean; readonly text: string }>;
  /** What editors are shown when they come. */
  activity(): Activity;
  /** An editor came, or went. */
  onEditor(event: 'editor_attached' | 'editor_left', editor: string): void;
}

const appliedSchema = z.object({ applied: z.boolean() });
const closedSchema = z.object({ uri: z.string() });
/** An editor that hangs is not waited for; its buffers come when it answers. */
const ATTACH_MS = 2000;

/**
 * A resident's side of the pipes to all editors of the user: lays their buffers over the disk. A file that is open in
 * several of them is that of the one in which it was typed last.
 */
export class EditorLinks implements RootLayers {
  readonly #options: EditorLinksOptions;
  readonly #links = new Map<string, Link>();
  #overlay: OverlayStore | undefined;
  #board: EditorDiagnosticsBoard | undefined;
  /** Of each path, those that have it open; the last is the one that counts. */
  readonly #open = new Map<string, readonly { readonly link: Link; readonly uri: string }[]>();

  constructor(options: EditorLinksOptions) {
    this.#options = options;
  }

  overStore: RootLayers['overStore'] = (under) => {
    this.#overlay = createOverlayStore(under, { applyEdit: (edit) => this.#apply(edit) });
    return this.#overlay;
  };

  overBoard: RootLayers['overBoard'] = (board, root) => {
    this.#board = new EditorDiagnosticsBoard({
      root,
      board,
      clock: systemClock,
      coverOf: (path) => this.#coverOf(path),
    });
    return this.#board;
  };

  /** Goes to every editor that it does not know yet, and fetches what is open there. */
  async look(): Promise<void> {
    const sockets = await connectToEditors(new Set(this.#links.keys()));
    await Promise.all([...sockets].map(([path, socket]) => this.#attach(path, socket)));
  }

  /** Shows the editors what is going on. */
  show(activity: Activity): void {
    for (const { connection, attached } of this.#links.values()) {
      // One that has just gone need not be shown anything.
      if (attached) void connection.sendNotification(EDITOR.activity, activity).catch(() => undefined);
    }
  }

  close(): void {
    for (const { connection } of this.#links.values()) connection.end();
  }

  async #attach(path: string, socket: Socket): Promise<void> {
    const connection = createMessageConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket));
    const link: Link = { connection, attached: undefined, buffers: new Map() };
    this.#links.set(path, link);
    socket.on('error', () => socket.destroy());
    connection.onError(() => socket.destroy());
    const gone = new Promise<void>((resolve) => {
      connection.onClose(() => {
        this.#links.delete(path);
        if (link.attached) this.#options.onEditor('editor_left', link.attached.name);
        for (const buffer of [...link.buffers.values()]) this.#close(link, buffer.uri);
        this.#board?.findings.lookAgain();
        connection.dispose();
        resolve();
      });
    });
    connection.onNotification(EDITOR.opened, (raw: unknown) => this.#opened(link, bufferSchema.parse(raw)));
    connection.onNotification(EDITOR.changed, (raw: unknown) => this.#changed(link, changedSchema.parse(raw)));
    connection.onNotification(EDITOR.closed, (raw: unknown) => this.#close(link, closedSchema.parse(raw).uri));
    connection.onNotification(EDITOR.diagnosed, (raw: unknown) => this.#diagnosed(link, diagnosedSchema.parse(raw)));
    connection.onRequest(EDITOR.undo, () => this.#options.undo());
    connection.listen();
    const answered = connection.sendRequest(EDITOR.attach).then((raw: unknown) => this.#attached(link, raw));
    answered.catch(() => socket.destroy());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ATTACH_MS);
    });
    await Promise.race([answered.catch(() => undefined), gone, late]);
    clearTimeout(timer);
  }

  #attached(link: Link, raw: unknown): void {
    const attached = attachedSchema.parse(raw);
    link.attached = attached;
    this.#options.onEditor('editor_attached', attached.name);
    for (const buffer of attached.buffers) this.#opened(link, buffer);
    for (const diagnosed of attached.diagnosed) this.#diagnosed(link, diagnosed);
    void link.connection.sendNotification(EDITOR.activity, this.#options.activity()).catch(() => undefined);
  }

  #opened(link: Link, buffer: EditorBuffer): void {
    link.buffers.set(buffer.uri, buffer);
    this.#takeOver(link, buffer);
  }

  #changed(link: Link, { uri, steps, version }: z.infer<typeof changedSchema>): void {
    const before = link.buffers.get(uri);
    if (!before) return;
    const text = steps.reduce((now, step) => applySpanEdits(now, [step]), before.text);
    const buffer = { ...before, text, version };
    link.buffers.set(uri, buffer);
    const owner = this.#ownerOf(before.path);
    if (owner?.link === link && owner.uri === uri) this.#overlay?.buffers.edit(before.path, steps, version);
    else this.#takeOver(link, buffer);
    this.#board?.findings.lookAgain();
  }

  #close(link: Link, uri: string): void {
    const buffer = link.buffers.get(uri);
    if (!buffer) return;
    link.buffers.delete(uri);
    const wasOwner = this.#ownerOf(buffer.path);
    const rest = (this.#open.get(buffer.path) ?? []).filter((one) => one.link !== link || one.uri !== uri);
    if (rest.length > 0) this.#open.set(buffer.path, rest);
    else this.#open.delete(buffer.path);
    if (wasOwner?.link !== link || wasOwner.uri !== uri) return;
    const next = rest.at(-1);
    const other = next?.link.buffers.get(next.uri);
    if (other) {
      this.#overlay?.buffers.open(other.path, other.text, other.version);
      return;
    }
    this.#overlay?.buffers.close(buffer.path);
    this.#board?.findings.forget(buffer.path);
    this.#options.onGone(buffer);
  }

  #takeOver(link: Link, { uri, path, text, version }: EditorBuffer): void {
    const others = (this.#open.get(path) ?? []).filter((one) => one.link !== link || one.uri !== uri);
    this.#open.set(path, [...others, { link, uri }]);
    this.#overlay?.buffers.open(path, text, version);
  }

  #diagnosed(link: Link, { uri, version, diagnostics }: Diagnosed): void {
    const buffer = link.buffers.get(uri);
    // What is said of an older text is no news; and emend's own servers count where the editor says so.
    if (!buffer || buffer.version !== version || link.attached?.diagnostics !== 'editor') return;
    this.#board?.take(
      buffer.path,
      buffer.text,
      diagnostics.map(({ range, severity, code, message, source }) => ({
        range,
        severity: severityOf(severity),
        code: code === undefined ? undefined : source === 'ts' ? `TS${code}` : String(code),
        message,
        source,
      })),
    );
  }

  async #apply(edit: BufferEdit): Promise<{ readonly applied: boolean }> {
    const owner = this.#ownerOf(edit.path);
    if (!owner) return { applied: false };
    const asked = { uri: owner.uri, version: edit.version, edits: edit.edits };
    return appliedSchema.parse(await owner.link.connection.sendRequest(EDITOR.applyEdit, asked));
  }

  #ownerOf(path: string): { readonly link: Link; readonly uri: string } | undefined {
    return this.#open.get(path)?.at(-1);
  }

  #coverOf(path: string): EditorCover | undefined {
    // Of text in no language nobody says anything, and waiting for it would be in vain.
    if (languageIdOf(path) === 'plaintext') return undefined;
    const owner = this.#ownerOf(path);
    const { attached } = owner?.link ?? {};
    if (owner && attached?.diagnostics === 'editor') {
      return { name: attached.name, text: owner.link.buffers.get(owner.uri)?.text };
    }
    if (owner) return undefined;
    for (const link of this.#links.values()) {
      const { diagnostics, folders = [], name = '' } = link.attached ?? {};
      if (diagnostics === 'editor' && folders.some((folder) => isWithin(folder, path)))
        return { name, text: undefined };
    }
    return undefined;
  }
}
