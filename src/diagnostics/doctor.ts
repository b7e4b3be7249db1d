import { diskServerMachine } from '../workspace/language-server/disk-server-machine.ts';
import { serverDefinitionsFor } from '../workspace/language-server/disk-server-overrides.ts';
import { type SurveyedServer, surveyServers } from '../workspace/language-server/survey-servers.ts';

/**
 * Which language server serves which language in a root (absolute, real), found where and in which version, or what to
 * install; with `file` (absolute, real), only those for its language, as its own folder decides. Starts nothing.
 */
export async function doctor(options: {
  readonly root: string;
  readonly file?: { readonly path: string; readonly languageId: string };
}): Promise<readonly SurveyedServer[]> {
  const { root, file } = options;
  const definitions = await serverDefinitionsFor(root);
  return surveyServers({
    machine: diskServerMachine(),
    definitions: file ? definitions.filter(({ languages }) => languages.includes(file.languageId)) : definitions,
    path: file?.path ?? `${root}/`,
    boundary: root,
  });
}
