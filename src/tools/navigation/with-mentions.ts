import { findMentions } from '../../diagnostics/find-mentions.ts';
import { askOutline } from '../../diagnostics/outline.ts';
import { languageIdOf } from '../../workspace/document-snapshot.ts';
import { StoreError } from '../../workspace/document-store.ts';
import { ServerFailure } from '../../workspace/language-server/server-failure.ts';
import type { ToolCall } from '../tool.ts';
import type { OpenFile } from './ask-at.ts';
import { seenText } from './seen-texts.ts';

const MAX_OPENED = 40;

/**
 * Runs `ask` while a server that knows only files that it has open has open those that have the word; other servers
 * find them by themselves. They are closed again. A file whose outline has come is in what the server knows.
 */
export async function withMentions<T>(
  call: ToolCall,
  { file, word }: { readonly file: OpenFile; readonly word: string },
  ask: () => Promise<T>,
  wanted: 'some' | 'all' = 'some',
): Promise<T> {
  const { server } = file;
  const { definition, root } = server.resolved;
  if (!definition.knowsOnlyOpen) return ask();
  const { run } = call.session.root;
  const paths = await findMentions({ run, root, words: [word], likelier: [] });
  const spoken = paths.filter((path) => definition.languages.includes(languageIdOf(path)));
  if (wanted === 'all' && spoken.length > MAX_OPENED) {
    throw new ServerFailure(
      'refused',
      `${spoken.length} files have ${word}, and it would change only those that it has open`,
    );
  }
  const opened: string[] = [];
  try {
    for (const path of spoken.slice(0, MAX_OPENED)) {
      if (server.documents.get(path)) continue;
      const text = await textOf(call, path);
      if (text === undefined) continue;
      server.sync({ path, languageId: languageIdOf(path), text });
      opened.push(path);
    }
    await Promise.all(
      opened.map((path) => server.documents.get(path)).map((document) => document && askOutline(server, document)),
    );
    return await ask();
  } finally {
    for (const path of opened) server.release(path);
  }
}

async function textOf(call: ToolCall, path: string): Promise<string | undefined> {
  if (!call.session.root.confinement.allows(path)) return undefined;
  try {
    return (await seenText(call, path))?.text;
  } catch (error) {
    // It was only thought to have the word.
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
