import { missingServers, servingServers } from './choose-servers.ts';
import type { LanguageServer } from './language-server.ts';
import { type ResolvedServer, resolveServer } from './resolve-server.ts';
import type { ServerDefinition } from './server-definition.ts';
import type { ServerMachine } from './server-machine.ts';
import type { ServerState } from './server-state.ts';

/** Whether one definition serves here, and by which program. */
export type SurveyedServer =
  | {
      readonly status: 'found';
      readonly name: string;
      readonly languages: readonly string[];
      /** A second opinion: a language that it alone serves has no server. */
      readonly isChecker: boolean;
      /** The workspace folder that it works on. */
      readonly root: string;
      readonly foundIn: 'project' | 'bundled' | 'installed' | 'path';
      readonly argv: readonly string[];
      readonly version: string | null;
      /** The version of the project's package that it goes by, as in `typescript 5.9.3`. */
      readonly project?: string;
      readonly state: ServerState;
      readonly verified: string;
    }
  | {
      readonly status: 'missing';
      readonly name: string;
      /** Those of its languages that no other server serves here. */
      readonly languages: readonly string[];
      readonly reason: string;
      readonly install: string;
    };

/**
 * Which server serves which language, for one file, or, where `path` is a folder's followed by `/`, for files that stand in it.
 * Definitions that are for other projects are left out, and what is missing where another serves the language. Starts
 * nothing.
 */
export async function surveyServers(input: {
  readonly machine: ServerMachine;
  readonly definitions: readonly ServerDefinition[];
  /** Absolute and real. */
  readonly path: string;
  readonly boundary: string;
  /** Those that were started, whose state is told. */
  readonly started?: readonly LanguageServer[];
}): Promise<readonly SurveyedServer[]> {
  const { machine, definitions, path, boundary } = input;
  const resolutions = await Promise.all(
    definitions.map(async (definition) => resolveServer(machine, definition, { path, boundary })),
  );
  const resolved = servingServers(resolutions);
  const missing = missingServers(resolutions);
  const served = new Set(resolved.flatMap(({ definition }) => (definition.checker ? [] : definition.languages)));
  const isMissed = ({ definition }: { readonly definition: ServerDefinition }): boolean =>
    definition.languages.some((languageId) => !served.has(languageId));
  return [
    ...resolved.map((server) => described(server, input.started ?? [])),
    ...missing.filter(isMissed).map(({ definition: { name, languages, install }, reason }) => ({
      status: 'missing' as const,
      name,
      languages: languages.filter((languageId) => !served.has(languageId)),
      reason,
      install,
    })),
  ];
}

function described(server: ResolvedServer, started: readonly LanguageServer[]): SurveyedServer {
  const { definition, key, root, foundIn, argv, version, projectVersion } = server;
  const { name, languages, verified, project } = definition;
  const state = started.find(({ resolved }) => resolved.key === key)?.state ?? { status: 'stopped' };
  const goesBy = project && projectVersion !== undefined ? { project: `${project.package} ${projectVersion}` } : {};
  return {
    status: 'found',
    name,
    languages,
    isChecker: definition.checker ?? false,
    root,
    foundIn,
    argv,
    version,
    ...goesBy,
    state,
    verified,
  };
}
