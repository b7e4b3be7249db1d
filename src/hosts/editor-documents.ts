import type {
  DidChangeTextDocumentParams,
  DidOpenTextDocumentParams,
  TextDocumentContentChangeEvent,
  TextEdit,
} from 'vscode-languageserver-protocol';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { realPathOf } from '../workspace/disk-real-path.ts';
import { contentChanges } from '../workspace/language-server/content-change.ts';
import { applySpanEdits, type SpanEdit } from '../workspace/span.ts';
import { pathOfUri } from '../workspace/uri.ts';
import type { EditorBuffer } from './editor-protocol.ts';

interface OpenDocument {
  readonly path: string;
  /** Its version is the editor's. */
  readonly textDocument: TextDocument;
  /** Our own count: editors tell several changes under one version. */
  readonly version: number;
}

/** A change as residents are told of it. */
interface DocumentSteps {
  readonly uri: string;
  readonly steps: readonly SpanEdit[];
  readonly version: number;
}

/** The documents that an editor has open, as its messages say. Only files count. */
export class EditorDocuments {
  readonly #open = new Map<string, OpenDocument>();

  /** `undefined`: it is no file. */
  async open({ textDocument }: DidOpenTextDocumentParams): Promise<EditorBuffer | undefined> {
    const { uri, text, version, languageId } = textDocument;
    const named = pathOfUri(uri);
    if (named === undefined) return undefined;
    const path = await realPathOf(named);
    this.#open.set(uri, { path, textDocument: TextDocument.create(uri, languageId, version, text), version: 1 });
    return { uri, path, text, version: 1 };
  }

  /** `undefined`: it is not open. */
  change({ textDocument, contentChanges: changes }: DidChangeTextDocumentParams): DocumentSteps | undefined {
    const { uri, version } = textDocument;
    const before = this.#open.get(uri);
    if (!before) return undefined;
    const steps: SpanEdit[] = [];
    let document = before.textDocument;
    for (const change of changes) {
      const step = stepOf(document, change);
      steps.push(step);
      const text = applySpanEdits(document.getText(), [step]);
      document = TextDocument.create(uri, document.languageId, version, text);
    }
    const after = { path: before.path, textDocument: document, version: before.version + 1 };
    this.#open.set(uri, after);
    return { uri, steps, version: after.version };
  }

  close(uri: string): boolean {
    return this.#open.delete(uri);
  }

  /** Our count of a document at the editor's version; `undefined` where that is not its present one. */
  versionAt(uri: string, editorVersion: number | undefined): number | undefined {
    const known = this.#open.get(uri);
    if (!known || (editorVersion !== undefined && editorVersion !== known.textDocument.version)) return undefined;
    return known.version;
  }

  /** Edits planned on our version, as the editor takes them; `undefined` where the document has moved on. */
  textEdits(
    uri: string,
    version: number,
    edits: readonly SpanEdit[],
  ): { readonly version: number; readonly edits: TextEdit[] } | undefined {
    const known = this.#open.get(uri);
    if (known?.version !== version) return undefined;
    const { textDocument } = known;
    const text = textDocument.getText();
    const after = applySpanEdits(text, edits);
    const whole = {
      range: { start: { line: 0, character: 0 }, end: textDocument.positionAt(text.length) },
      text: after,
    };
    const changes = contentChanges(textDocument, after, { encoding: 'utf-16', edits }) ?? [whole];
    return {
      version: textDocument.version,
      edits: changes.map(({ range, text: newText }) => ({ range, newText })),
    };
  }

  list(): readonly EditorBuffer[] {
    return [...this.#open].map(([uri, { path, textDocument, version }]) => ({
      uri,
      path,
      text: textDocument.getText(),
      version,
    }));
  }
}

function stepOf(document: TextDocument, change: TextDocumentContentChangeEvent): SpanEdit {
  if (!('range' in change)) return { start: 0, end: document.getText().length, newText: change.text };
  const { start, end } = change.range;
  return { start: document.offsetAt(start), end: document.offsetAt(end), newText: change.text };
}
