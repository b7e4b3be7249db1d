import type { LanguageServer } from './language-server.ts';
import { type Resolution, resolveServer } from './resolve-server.ts';
import type { ServerDefinition } from './server-definition.ts';
import type { ServerMachine } from './server-machine.ts';
import type { ServerState } from './server-state.ts';

/** Whether one definition serves here, and by which program. */
export type SurveyedServer =
  | {
      readonly status: 'found';
      readonly name: string;
      readonly languages: readonly string[];
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
      readonly languages: readonly string[];
      readonly reason: string;
      readonly install: string;
    };

/**
 * Which server serves which language, for one file, or, where `path` is a folder's followed by `/`, for files that stand in it.
 * Definitions that are for other projects are left out. Starts nothing.
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
  const replaced = new Set(
    resolutions.flatMap((one) => (one.status === 'found' ? one.server.definition.insteadOf : [])),
  );
  const serving = resolutions.filter((one) => one.status !== 'found' || !replaced.has(one.server.definition.name));
  return serving.flatMap((resolution) => describe(resolution, input.started ?? []));
}

function describe(resolution: Resolution, started: readonly LanguageServer[]): readonly SurveyedServer[] {
  switch (resolution.status) {
    case 'other':
      return [];
    case 'missing': {
      const { name, languages, install } = resolution.definition;
      return [{ status: 'missing', name, languages, reason: resolution.reason, install }];
    }
    case 'found': {
      const { definition, key, root, foundIn, argv, version, projectVersion } = resolution.server;
      const { name, languages, verified, project } = definition;
      const state = started.find(({ resolved }) => resolved.key === key)?.state ?? { status: 'stopped' };
      const goesBy = project && projectVersion !== undefined ? { project: `${project.package} ${projectVersion}` } : {};
      return [{ status: 'found', name, languages, root, foundIn, argv, version, ...goesBy, state, verified }];
    }
  }
}
