import { TextDocument } from 'vscode-languageserver-textdocument';
import type { SpanEdit } from '../span.ts';
import { pathOfUri, uriOfPath } from '../uri.ts';
import { contentChanges } from './content-change.ts';
import type { PositionEncoding } from './position-encoding.ts';

/** A notification for a server. */
export interface Message {
  readonly method: string;
  readonly params: unknown;
}

/** A text as a server should have it. */
export interface DocumentText {
  /** Absolute and real. */
  readonly path: string;
  readonly languageId: string;
  readonly text: string;
}

/** What a server takes as a change: parts of the text with their ranges, or only the whole text. */
export type ChangeForm = 'parts' | 'whole';

const MAX_OPEN = 60;

/**
 * The documents that one server has open, as it has them. Versions are the server's own count: they grow over its
 * restarts too, whatever text comes. The one used longest ago is closed when too many are open.
 */
export class SyncedDocuments {
  readonly #documents = new Map<string, TextDocument>();
  readonly #closedVersions = new Map<string, number>();

  get(path: string): TextDocument | undefined {
    return this.#documents.get(path);
  }

  paths(): readonly string[] {
    return [...this.#documents.keys()];
  }

  /** Makes a document's text this one; what has to be said to a server that followed until now, nothing if it knows. */
  set(
    document: DocumentText,
    options: {
      readonly encoding: PositionEncoding;
      readonly edits?: readonly SpanEdit[] | undefined;
      /** `whole`: the server takes no changes but the whole text. */
      readonly takes?: ChangeForm;
    },
  ): readonly Message[] {
    const { path, text, languageId } = document;
    const known = this.#documents.get(path);
    // Put last: a Map keeps the order in which its keys came, and that is the order of use.
    this.#documents.delete(path);
    if (known && known.getText() === text) {
      this.#documents.set(path, known);
      return [];
    }
    const version = 1 + (known?.version ?? this.#closedVersions.get(path) ?? 0);
    const next = TextDocument.create(uriOfPath(path), languageId, version, text);
    this.#documents.set(path, next);
    if (!known) return [openMessage(next), ...this.#closeOldest()];
    const changes = options.takes === 'whole' ? [{ text }] : contentChanges(known, text, options);
    if (!changes) return [closeMessage(known), openMessage(next)];
    const textDocument = { uri: next.uri, version };
    return [{ method: 'textDocument/didChange', params: { textDocument, contentChanges: changes } }];
  }

  /** Makes it the last to be closed for another. */
  touch(path: string): void {
    const known = this.#documents.get(path);
    if (!known) return;
    this.#documents.delete(path);
    this.#documents.set(path, known);
  }

  /** A change of nothing, which gives a document its next version. */
  nudge(path: string, takes: ChangeForm = 'parts'): readonly Message[] {
    const known = this.#documents.get(path);
    if (!known) return [];
    const { uri, languageId } = known;
    const version = known.version + 1;
    this.#documents.set(path, TextDocument.create(uri, languageId, version, known.getText()));
    // These two are clangd's. It publishes nothing where it thinks that nothing changed, and tells a changed header only by
    // its size and the second of its time.
    // Some refuse a message without any change.
    const start = { line: 0, character: 0 };
    const contentChanges =
      takes === 'whole' ? [{ text: known.getText() }] : [{ range: { start, end: start }, text: '' }];
    const params = { textDocument: { uri, version }, contentChanges, wantDiagnostics: true, forceRebuild: true };
    return [{ method: 'textDocument/didChange', params }];
  }

  /** Forgets a document; what has to be said about it. */
  close(path: string): readonly Message[] {
    const known = this.#documents.get(path);
    if (!known) return [];
    this.#documents.delete(path);
    this.#closedVersions.set(path, known.version);
    return [closeMessage(known)];
  }

  /** What a server that has just started must be told. */
  openAll(): readonly Message[] {
    return [...this.#documents.values()].map(openMessage);
  }

  #closeOldest(): readonly Message[] {
    if (this.#documents.size <= MAX_OPEN) return [];
    const [oldest] = this.#documents.keys();
    return oldest === undefined ? [] : this.close(oldest);
  }
}

/** The absolute path of a server's uri, however it spells it; the uri itself where it is not of a file. */
export function keyOfUri(uri: string): string {
  return pathOfUri(uri) ?? uri;
}

function openMessage(document: TextDocument): Message {
  const { uri, languageId, version } = document;
  return {
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId, version, text: document.getText() } },
  };
}

function closeMessage(document: TextDocument): Message {
  return { method: 'textDocument/didClose', params: { textDocument: { uri: document.uri } } };
}
