import { inNoProject } from '../../diagnostics/ask-project.ts';
import type { LanguageServer } from '../../workspace/language-server/language-server.ts';
import type { ServerSession } from '../../workspace/language-server/server-session.ts';
import type { ToolCall } from '../tool.ts';

/** Milliseconds for which the files that have a word are known, where the server was told of no change. */
const KNOWN_MS = 2000;
/** Of more files than these it is not asked whether they are in a project. */
const MAX_ASKED = 1000;
const MAX_WORDS = 100;

interface Known {
  readonly since: number;
  readonly epoch: number;
  readonly paths: readonly string[];
}

/** By word. */
const known = new WeakMap<ServerSession, Map<string, Known>>();

/**
 * Of files that have a word those of no project, as tests and scripts beside the `include` of a configuration: a server
 * that answers by project knows a use in them only while they are open. @throws ServerFailure
 */
export async function looseMentions(
  call: ToolCall,
  { server, word }: { readonly server: LanguageServer; readonly word: string },
  mentions: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (!server.resolved.definition.projectOf) return [];
  const session = await server.ready();
  const words = known.get(session) ?? new Map<string, Known>();
  known.set(session, words);
  const since = call.session.root.clock.now();
  const { epoch } = server;
  const before = words.get(word);
  if (before && before.epoch === epoch && since - before.since < KNOWN_MS) return before.paths;
  const paths = await inNoProject(server, (await mentions()).slice(0, MAX_ASKED));
  words.delete(word);
  words.set(word, { since, epoch, paths });
  const [oldest] = words.keys();
  if (words.size > MAX_WORDS && oldest !== undefined) words.delete(oldest);
  return paths;
}
