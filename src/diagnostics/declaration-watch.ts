import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { DocumentSnapshot } from '../workspace/document-snapshot.ts';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { changedNames, type TouchedText } from './changed-names.ts';
import { editedLines } from './edited-lines.ts';
import type { FileChange } from './file-change.ts';
import { moduleName } from './module-name.ts';
import { askHover, askOutline, type OutlineSymbol } from './outline.ts';
import { keyOf, type LineSpan, touchedSymbols } from './touched-symbols.ts';

/** More symbols than this are not compared by their types: they count as changed. */
const MAX_HOVERS = 12;

/**
 * Tells by which names other files would know what a change did. What a declaration was is asked for before the change
 * goes out, what it is now when its own diagnostics have come.
 */
export class DeclarationWatch {
  readonly #server: LanguageServer;
  readonly #shown = new Map<
    string,
    { readonly text: string; readonly epoch: number; readonly hovers: Map<string, Promise<string | undefined>> }
  >();
  readonly #outlines = new Map<string, { readonly text: string; readonly outline: readonly OutlineSymbol[] }>();

  constructor(server: LanguageServer) {
    this.#server = server;
  }

  /** Looks at a document that may be changed soon, so that the change need not wait for it. */
  async prepare(path: string): Promise<void> {
    const document = this.#server.documents.get(path);
    if (document) await this.#outlineOf(path, document);
  }

  /** Call it while the server has the text before; what it returns, when it has the text after. */
  async begin(change: FileChange): Promise<() => Promise<ReadonlySet<string>>> {
    const { before, after, path } = change;
    if (!before || !after) return async () => new Set([moduleName(path)]);
    const lines = editedLines(change);
    const old = await this.#touched(before, lines.before);
    return async () => {
      const now = await this.#touched(after, lines.after);
      return changedNames(await old.text, await now.text, { path, languageId: after.textDocument.languageId });
    };
  }

  /** Asks for the outline first; what hover shows is on its way when this returns, and need not be waited for. */
  async #touched(
    snapshot: DocumentSnapshot,
    lines: readonly LineSpan[],
  ): Promise<{ readonly text: Promise<TouchedText> }> {
    const document = this.#server.documents.get(snapshot.path);
    const { text } = snapshot;
    if (!document || document.getText() !== text) {
      return { text: Promise.resolve({ text, outline: [], lines, hovers: new Map() }) };
    }
    const outline = await this.#outlineOf(snapshot.path, document);
    const shown = this.#shownOf(snapshot.path, text);
    const hovers = touchedSymbols(outline, lines)
      .slice(0, MAX_HOVERS)
      .map(async (symbol) => {
        const key = keyOf(symbol);
        const hover = shown.get(key) ?? askHover(this.#server, document, symbol.namePosition).catch(() => undefined);
        shown.set(key, hover);
        return [key, await hover] as const;
      });
    return { text: Promise.all(hovers).then((found) => ({ text, outline, lines, hovers: new Map(found) })) };
  }

  /** What was shown of this text in this world: what an edit left is what the next one finds. */
  #shownOf(path: string, text: string): Map<string, Promise<string | undefined>> {
    const { epoch } = this.#server;
    const known = this.#shown.get(path);
    if (known?.text === text && known.epoch === epoch) return known.hovers;
    const hovers = new Map<string, Promise<string | undefined>>();
    this.#shown.set(path, { text, epoch, hovers });
    return hovers;
  }

  async #outlineOf(path: string, document: TextDocument): Promise<readonly OutlineSymbol[]> {
    const text = document.getText();
    const known = this.#outlines.get(path);
    if (known?.text === text) return known.outline;
    const outline = await askOutline(this.#server, document);
    this.#outlines.set(path, { text, outline });
    return outline;
  }
}
