import { diskServerMachine } from '../workspace/language-server/disk-server-machine.ts';
import { type ServerOverrides, serverDefinitionsFor } from '../workspace/language-server/disk-server-overrides.ts';
import { type SurveyedServer, surveyServers } from '../workspace/language-server/survey-servers.ts';

/**
 * Which language server serves which language in a root (absolute, real), found where and in which version, or what to
 * install; with `file` (absolute, real), only those for its language, as its own folder decides. Starts nothing.
 */
export async function doctor(options: {
  readonly root: string;
  readonly file?: { readonly path: string; readonly languageId: string };
  /** Servers that settings name. */
  readonly overrides?: readonly ServerOverrides[];
}): Promise<readonly SurveyedServer[]> {
  const { root, file, overrides = [] } = options;
  const definitions = await serverDefinitionsFor(root, { overrides });
  return surveyServers({
    machine: diskServerMachine(),
    definitions: file ? definitions.filter(({ languages }) => languages.includes(file.languageId)) : definitions,
    path: file?.path ?? `${root}/`,
    boundary: root,
  });
}
