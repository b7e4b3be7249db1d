import { type DocumentSnapshot, languageIdOf } from '../../../workspace/document-snapshot.ts';
import { StoreError } from '../../../workspace/document-store.ts';
import type { LanguageServer } from '../../../workspace/language-server/language-server.ts';
import { keyOfUri } from '../../../workspace/language-server/synced-documents.ts';
import { readWorkspaceEdit } from '../../../workspace/navigation/workspace-edit.ts';
import type { ToolCall } from '../../tool.ts';
import { seenText } from '../seen-texts.ts';

/** The texts of the documents that a server has open, by path: the places of its answer are places in these. */
export type ServerTexts = ReadonlyMap<string, string>;

/** More files than this are not opened for one answer: a server's oldest would be closed again. */
const MAX_OPENED = 40;

/** The texts as a server has them at this moment. */
export function textsOf({ documents }: LanguageServer): ServerTexts {
  return new Map(documents.paths().map((path) => [path, documents.get(path)?.getText() ?? '']));
}

/**
 * Opens the files that workspace edits name and a server has not open: what it knows of them it read by itself, nobody
 * knows when. Whether there were any that could be opened; the server is then to be asked again.
 */
export async function openNamed(call: ToolCall, server: LanguageServer, edits: readonly unknown[]): Promise<boolean> {
  const named = edits.flatMap((edit) => {
    const read = readWorkspaceEdit(edit);
    return read.status === 'read' ? read.documents.map(({ uri }) => keyOfUri(uri)) : [];
  });
  const missing = [...new Set(named)].filter((path) => !server.documents.get(path));
  let isOpened = false;
  for (const path of missing.slice(0, MAX_OPENED)) {
    const snapshot = await textAt(call, path);
    if (!snapshot) continue;
    server.sync({ path, languageId: languageIdOf(path), text: snapshot.text });
    isOpened = true;
  }
  return isOpened;
}

async function textAt(call: ToolCall, path: string): Promise<DocumentSnapshot | undefined> {
  if (!call.session.root.confinement.allows(path)) return undefined;
  try {
    return await seenText(call, path);
  } catch (error) {
    // It is to be made, or is gone: what comes of that is told when the edits are read.
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
