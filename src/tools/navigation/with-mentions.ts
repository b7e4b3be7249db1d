import { findMentions } from '../../diagnostics/find-mentions.ts';
import { askOutline } from '../../diagnostics/outline.ts';
import { languageIdOf } from '../../workspace/document-snapshot.ts';
import type { LanguageServer } from '../../workspace/language-server/language-server.ts';
import { ServerFailure } from '../../workspace/language-server/server-failure.ts';
import type { ToolCall } from '../tool.ts';
import type { OpenFile } from './ask-at.ts';
import { looseMentions } from './loose-mentions.ts';
import { mentionedText } from './seen-texts.ts';
import { inUnloadedProjects } from './unloaded-projects.ts';

const MAX_OPENED = 40;
/** Milliseconds for which a server may look for its files; one that never tells is asked then. */
const FILES_MS = 10_000;

/**
 * `place`: one is enough; `uses`: as many as can be opened; `all_uses`: refused where there are more in projects, or of a
 * server that knows only open files.
 */
interface Mentions {
  readonly wanted: 'place' | 'uses' | 'all_uses';
  /** Told, in words, what was not opened. */
  onLeft?(words: string): void;
}

/**
 * Runs `ask` while a server that knows only files that it has open has open those that have the word, the first
 * MAX_OPENED of them, and closes them again. For uses, one that knows only projects of which a file is open has open a
 * file of each project that has the word, and the files with the word that are in none; these stay, as loading takes
 * long. Other servers find them by themselves. A file whose outline has come is in what the server knows.
 */
export function withMentions<T>(
  call: ToolCall,
  at: { readonly file: OpenFile; readonly word: string },
  ask: () => Promise<T>,
  mentions: Mentions,
): Promise<T> {
  const { definition } = at.file.server.resolved;
  return mentions.wanted === 'place' && !definition.knowsOnlyOpen ? ask() : amongMentions(call, at, ask, mentions);
}

async function amongMentions<T>(
  call: ToolCall,
  { file, word }: { readonly file: OpenFile; readonly word: string },
  ask: () => Promise<T>,
  { wanted, onLeft }: Mentions,
): Promise<T> {
  const { server } = file;
  const { definition } = server.resolved;
  if (wanted !== 'place') await server.signs.knowsFiles((await server.ready()).ended, FILES_MS);
  const mentions = (): Promise<readonly string[]> => mentionsOf(call, server, word);
  const unloaded = (): Promise<readonly string[]> =>
    wanted === 'place' ? Promise.resolve([]) : inUnloadedProjects(call, server, mentions);
  const needed = await (definition.knowsOnlyOpen ? mentions() : unloaded());
  const what = definition.knowsOnlyOpen ? 'files' : 'projects';
  const left = needed.length - MAX_OPENED;
  if (wanted === 'uses' && left > 0)
    onLeft?.(`${left} more ${what} have ${word} and were not looked into; Grep finds them`);
  if (wanted === 'all_uses' && left > 0) {
    const reason = `${needed.length} ${what} have ${word}, and it would change only those that it has open`;
    throw new ServerFailure('refused', reason);
  }
  const opened = await open(call, server, needed);
  if (wanted !== 'place' && !definition.knowsOnlyOpen) {
    const loose = await looseMentions(call, { server, word }, mentions);
    const beyond = loose.length - MAX_OPENED;
    if (beyond > 0)
      onLeft?.(`${beyond} more files of no project have ${word} and were not looked into; Grep finds them`);
    await open(call, server, loose);
  }
  try {
    return await ask();
  } finally {
    if (definition.knowsOnlyOpen) for (const path of opened) server.release(path);
  }
}

/** The files below a server's root, of its languages, that have a word. */
export async function mentionsOf(call: ToolCall, server: LanguageServer, word: string): Promise<readonly string[]> {
  const { definition, root } = server.resolved;
  const paths = await findMentions({ run: call.session.root.run, root, words: [word], likelier: [] });
  return paths.filter((path) => definition.languages.includes(languageIdOf(path)));
}

/** Opens the first of these files that are not open yet, and waits until the server knows them; those that it opened. */
async function open(call: ToolCall, server: LanguageServer, paths: readonly string[]): Promise<readonly string[]> {
  const opened: string[] = [];
  for (const path of paths.slice(0, MAX_OPENED)) {
    if (server.documents.get(path)) continue;
    const text = await mentionedText(call, path);
    if (text === undefined) continue;
    server.sync({ path, languageId: languageIdOf(path), text });
    opened.push(path);
  }
  const documents = opened.map((path) => server.documents.get(path));
  await Promise.all(documents.map((document) => document && askOutline(server, document)));
  return opened;
}
