import type { Range } from 'vscode-languageserver-textdocument';
import { isRecord, readRange } from './read-places.ts';

/** The edits of one document, in the server's units. */
export interface DocumentEdits {
  readonly uri: string;
  readonly edits: readonly { readonly range: Range; readonly newText: string }[];
}

/** What a server wants changed; `unsupported`: it wants something else than texts changed and files made. */
type ReadWorkspaceEdit =
  | { readonly status: 'read'; readonly documents: readonly DocumentEdits[]; readonly created: readonly string[] }
  | { readonly status: 'unsupported'; readonly what: string };

/** Reads a `WorkspaceEdit`, of its two forms the one that the protocol prefers. */
export function readWorkspaceEdit(value: unknown): ReadWorkspaceEdit {
  if (!isRecord(value)) return { status: 'read', documents: [], created: [] };
  const created: string[] = [];
  const byUri = new Map<string, DocumentEdits['edits']>();
  const add = (uri: unknown, edits: unknown): boolean => {
    const read = Array.isArray(edits) ? edits.map(readTextEdit) : [undefined];
    if (typeof uri !== 'string' || read.some((edit) => edit === undefined)) return false;
    byUri.set(uri, [...(byUri.get(uri) ?? []), ...read.flatMap((edit) => edit ?? [])]);
    return true;
  };
  if (Array.isArray(value.documentChanges)) {
    for (const change of value.documentChanges.filter(isRecord)) {
      if (change.kind === 'create' && typeof change.uri === 'string') created.push(change.uri);
      else if (change.kind !== undefined) return { status: 'unsupported', what: `${String(change.kind)} a file` };
      else if (!isRecord(change.textDocument) || !add(change.textDocument.uri, change.edits)) return unreadable();
    }
  } else if (isRecord(value.changes)) {
    for (const [uri, edits] of Object.entries(value.changes)) if (!add(uri, edits)) return unreadable();
  }
  return { status: 'read', documents: [...byUri].map(([uri, edits]) => ({ uri, edits })), created };
}

function unreadable(): ReadWorkspaceEdit {
  return { status: 'unsupported', what: 'make an edit of a form that is not known' };
}

function readTextEdit(value: unknown): DocumentEdits['edits'][number] | undefined {
  const range = isRecord(value) ? readRange(value.range) : undefined;
  return range && isRecord(value) && typeof value.newText === 'string' ? { range, newText: value.newText } : undefined;
}
