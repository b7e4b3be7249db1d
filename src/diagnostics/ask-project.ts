import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import type { ServerSession } from '../workspace/language-server/server-session.ts';
import { uriOfPath } from '../workspace/uri.ts';

/** tsserver's name for what it makes up where there is no configuration file. */
const INFERRED = /^\/dev\/null\/inferredProject/;

/** The files that were seen to be in a project; one that is in none is asked for again, since that is soon mended. */
const inProject = new WeakMap<ServerSession, Set<string>>();

/** So many files are asked about at once. */
const CHUNK = 100;

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
  const config = await server.request(method, params).then(configOf, refusal);
  if (config === undefined) return false;
  if (config === '' || INFERRED.test(config)) return true;
  inProject.set(await server.ready(), known.add(path));
  return false;
}

/** Those of these files, open or not, that belong to no project which the server has loaded. @throws ServerFailure */
export async function inNoProject(server: LanguageServer, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (let first = 0; first < paths.length; first += CHUNK) {
    const some = paths.slice(first, first + CHUNK);
    const are = await Promise.all(some.map((path) => isInNoProject(server, path)));
    found.push(...some.filter((_path, index) => are[index]));
  }
  return found;
}

/** The configuration file that a reply names: '' for none, `undefined` where the reply says nothing of it. */
function configOf(reply: unknown): string | undefined {
  const said = (reply ?? {}) as { configFilePath?: unknown; body?: { configFileName?: unknown } };
  const config = said.configFilePath ?? said.body?.configFileName;
  return typeof config === 'string' ? config : undefined;
}

/** Of a file that is not open tsserver says so by an error. */
function refusal(error: unknown): '' | undefined {
  if (!(error instanceof ServerFailure) || error.code !== 'refused') throw error;
  return /\bNo Project\b/.test(error.message) ? '' : undefined;
}
