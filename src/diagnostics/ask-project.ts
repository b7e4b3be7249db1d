import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import type { ServerSession } from '../workspace/language-server/server-session.ts';
import { uriOfPath } from '../workspace/uri.ts';

/** tsserver's name for what it makes up where there is no configuration file. */
const INFERRED = /^\/dev\/null\/inferredProject/;

/** The files that were seen to be in a project; one that is in none is asked for again, since that is soon mended. */
const inProject = new WeakMap<ServerSession, Set<string>>();

/**
 * Whether a file that the server has open belongs to no project, so that the server judges it by default options. `false`
 * where it can't be asked, or does not say.
 * @throws ServerFailure when it did not start, ended or hung
 */
export async function isInNoProject(server: LanguageServer, path: string): Promise<boolean> {
  const { projectOf } = server.resolved.definition;
  if (!projectOf) return false;
  const known = inProject.get(await server.ready()) ?? new Set();
  if (known.has(path)) return false;
  const [method, params] =
    'method' in projectOf
      ? [projectOf.method, { textDocument: { uri: uriOfPath(path) } }]
      : [
          'workspace/executeCommand',
          { command: projectOf.command, arguments: [projectOf.request, { file: path, needFileNameList: false }] },
        ];
  const config = configOf(await server.request(method, params).catch(refusal));
  if (config === undefined) return false;
  if (config === '' || INFERRED.test(config)) return true;
  inProject.set(await server.ready(), known.add(path));
  return false;
}

/** The configuration file that a reply names: '' for none, `undefined` where the reply says nothing of it. */
function configOf(reply: unknown): string | undefined {
  const said = (reply ?? {}) as { configFilePath?: unknown; body?: { configFileName?: unknown } };
  const config = said.configFilePath ?? said.body?.configFileName;
  return typeof config === 'string' ? config : undefined;
}

function refusal(error: unknown): undefined {
  if (error instanceof ServerFailure && error.code === 'refused') return undefined;
  throw error;
}
