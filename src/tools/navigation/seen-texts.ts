import type { TextDocument } from 'vscode-languageserver-textdocument';
import { enclosingSymbol } from '../../broker/match/enclosing-symbol.ts';
import type { DocumentSnapshot } from '../../workspace/document-snapshot.ts';
import { type StoredStat, StoreError } from '../../workspace/document-store.ts';
import type { LanguageServer } from '../../workspace/language-server/language-server.ts';
import type { ToolCall } from '../tool.ts';

interface Seen {
  readonly stamp: string;
  readonly snapshot: DocumentSnapshot;
}

/** UTF-16 units of all texts of a root together. */
const MAX_UNITS = 8 << 20;
/** Milliseconds: a file that was written just before it was read may be written again under the same time. */
const SETTLED_MS = 50;

/** Languages, by LSP `languageId`, in which `#` or brackets make a heading. */
const HEADED = new Set(['markdown', 'mdx', 'plaintext', 'ini', 'toml', 'properties']);

const texts = new WeakMap<object, Map<string, Seen>>();
const holders = new WeakMap<TextDocument, Map<number, string | undefined>>();

/**
 * The present text of a file, to ask about and to show; `undefined` where it has none. A file is not read again while
 * its identity, size and time are those that it was read under: never to be used for what is written.
 * @throws StoreError
 */
export async function seenText(call: ToolCall, path: string): Promise<DocumentSnapshot | undefined> {
  const { store, documents, clock } = call.session.root;
  const isBuffer = store.unsaved?.().some((buffer) => buffer.path === path) === true;
  const stat = isBuffer ? undefined : store.statNow ? store.statNow(path) : await store.stat(path);
  const stamp = stat && stampOf(stat);
  const known = texts.get(call.session.root)?.get(path);
  if (stamp !== undefined && known?.stamp === stamp) return known.snapshot;
  const readAt = clock.date().getTime();
  const opened = await documents.open(path, call.signal);
  if (opened.status !== 'open') return undefined;
  const { snapshot, content } = opened.document;
  const isSettled = stat !== undefined && content.kind === 'file' && readAt - stat.mtimeMs > SETTLED_MS;
  if (stamp !== undefined && isSettled) keep(call.session.root, path, { stamp, snapshot });
  return snapshot;
}

/** The text of a file that was found by a word; `undefined` where it is gone meanwhile, or no tool may read it. */
export async function mentionedText(call: ToolCall, path: string): Promise<string | undefined> {
  if (!call.session.root.confinement.allows(path)) return undefined;
  try {
    return (await seenText(call, path))?.text;
  } catch (error) {
    // It was only thought to have the word.
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

/** Which snapshot a server's document was found to be like: to compare them takes longer, the longer they are. */
const alike = new WeakMap<TextDocument, DocumentSnapshot>();

/** The text of a file that a server has open, as it was last read here: the server is told of every other one. */
export function sharedText(call: ToolCall, path: string, server: LanguageServer): DocumentSnapshot | undefined {
  const known = texts.get(call.session.root)?.get(path)?.snapshot;
  const document = server.documents.get(path);
  if (known === undefined || document === undefined) return undefined;
  if (alike.get(document) === known) return known;
  if (document.getText() !== known.text) return undefined;
  alike.set(document, known);
  return known;
}

/** What a 0-based line of a text lies in, as its indentation tells. */
export function holderAt(document: TextDocument, line: number): string | undefined {
  const known = holders.get(document) ?? new Map<number, string | undefined>();
  if (!known.has(line)) {
    const offset = document.offsetAt({ line, character: 0 });
    known.set(line, enclosingSymbol(document.getText(), offset, HEADED.has(document.languageId) ? 'any' : 'code'));
    holders.set(document, known);
  }
  return known.get(line);
}

function stampOf({ kind, inode, size, mtimeMs }: StoredStat): string | undefined {
  return kind === 'file' ? `${inode} ${size} ${mtimeMs}` : undefined;
}

function keep(root: object, path: string, seen: Seen): void {
  const own = texts.get(root) ?? new Map<string, Seen>();
  texts.set(root, own);
  own.delete(path);
  own.set(path, seen);
  let units = 0;
  for (const [one, { snapshot }] of [...own].reverse()) {
    units += snapshot.text.length;
    if (units > MAX_UNITS) own.delete(one);
  }
}
