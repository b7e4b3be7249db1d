import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createSnapshot, type DocumentSnapshot, type TextForm, utf8Form } from './document-snapshot.ts';
import type { DocumentStore, StoredContent } from './document-store.ts';
import type { EditorConfig } from './editor-config.ts';
import { type NewFileStyle, newFileStyle } from './new-file-style.ts';
import { type Decoded, decodeText, encodeText } from './text-encoding.ts';

/** A file as it was found: the snapshot of its text, and what the store held, to compare with when it is written. */
export interface OpenDocument {
  readonly snapshot: DocumentSnapshot;
  readonly content: StoredContent;
  readonly bytes: Uint8Array;
}

type OpenOutcome =
  | { readonly status: 'open'; readonly document: OpenDocument }
  | Exclude<Decoded, { status: 'decoded' }>;

/** The documents of a root and the versions that they have had. Only versions are remembered, no text. */
export interface Documents {
  /**
   * Reads a file through the store. Its version grows whenever its text is not what it was last time.
   * @throws StoreError as `DocumentStore.read`
   */
  open(path: string, signal?: AbortSignal): Promise<OpenOutcome>;
  /** The next version of a document, in the form of `before`; the first, in UTF-8, where that is absent. */
  next(path: string, before: Pick<DocumentSnapshot, 'form'> | undefined, text: string): DocumentSnapshot;
  /** How a file that is not there yet is to be written. */
  styleOfNew(path: string): Promise<NewFileStyle>;
}

/** `config` has the charsets of files that don't show theirs, and the style of new ones; without it all are plain. */
export function createDocuments(store: DocumentStore, config?: EditorConfig): Documents {
  const known = new Map<string, { version: number; hash: string }>();

  const versionOf = (path: string, text: string): number => {
    const hash = createHash('sha256').update(text).digest('base64');
    const last = known.get(path);
    if (last?.hash === hash) return last.version;
    const version = (last?.version ?? 0) + 1;
    known.set(path, { version, hash });
    return version;
  };
  const snapshot = (path: string, text: string, form: TextForm): DocumentSnapshot =>
    createSnapshot(path, text, form, versionOf(path, text));

  const decode = async (path: string, bytes: Uint8Array): Promise<Decoded> => {
    const decoded = decodeText(bytes);
    if (!config || (decoded.status === 'decoded' && showsItsEncoding(bytes, decoded.form))) return decoded;
    const { charset } = await config.settingsFor(path);
    return charset === undefined ? decoded : decodeText(bytes, { charset });
  };

  return {
    async open(path, signal) {
      const content = await store.read(path, signal);
      if (content.kind === 'buffer') {
        const half = HALF_SYMBOL.exec(content.text);
        if (half) return { status: 'encoding', message: halfSymbolMessage(content.text, half.index) };
        const form = utf8Form();
        const bytes = encodeText(content.text, form);
        return { status: 'open', document: { snapshot: snapshot(path, content.text, form), content, bytes } };
      }
      const decoded = await decode(path, content.bytes);
      if (decoded.status !== 'decoded') return decoded;
      return {
        status: 'open',
        document: { snapshot: snapshot(path, decoded.text, decoded.form), content, bytes: content.bytes },
      };
    },
    next: (path, before, text) => snapshot(path, text, before?.form ?? utf8Form()),
    styleOfNew: async (path) => newFileStyle(config ? await config.settingsFor(path) : {}),
  };
}

/** A mark, or UTF-8 beyond ASCII: no configuration is needed to know it. */
function showsItsEncoding(bytes: Uint8Array, form: TextForm): boolean {
  return form.hasBom || (form.encoding === 'utf-8' && form.isGuess === undefined && !isAscii(bytes));
}

/** A surrogate without its other half, which an editor may hold and no file can. */
const HALF_SYMBOL = /\p{Surrogate}/u;

function halfSymbolMessage(text: string, offset: number): string {
  const line = text.slice(0, offset).split(/\r\n|\r|\n/).length;
  return `the editor holds half of a character at L${line}, which can't be saved. Delete it there`;
}
