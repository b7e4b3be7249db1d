import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { doctor as survey } from '../diagnostics/doctor.ts';
import { languageIdOf } from '../workspace/document-snapshot.ts';
import { shippedServerDefinitions } from '../workspace/language-server/disk-server-definitions.ts';
import { serversFolder } from '../workspace/language-server/disk-server-machine.ts';
import type { SurveyedServer } from '../workspace/language-server/survey-servers.ts';
import { parseOptions } from './command-options.ts';
import { installServer } from './install-server.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/**
 * `emend doctor [FILE]`: which server serves which language here, found where and in which version, or what to install.
 * Starts nothing. Returns the exit status: 1 where a server is missing.
 */
export async function doctor(file: string | undefined, rawOptions: Record<string, unknown>): Promise<number> {
  if (typeof rawOptions.install === 'string') return install(rawOptions.install);
  const options = parseOptions(rawOptions);
  const root = await realFolder(options.root?.[0] ?? '.');
  const path = file === undefined ? undefined : resolve(root, file);
  if (path !== undefined && !(await stat(path).catch(() => undefined))) {
    throw new UsageError(`${file} is not there (${path}). Name a file that exists, relative to the root ${root}.`);
  }
  const servers = await survey({ root, ...(path && { file: { path, languageId: languageIdOf(path) } }) });
  process.stdout.write(`emend ${version}, node ${process.version}, root ${root}\n`);
  if (servers.length === 0) process.stdout.write(`no language server for ${file ?? 'any language'} here\n`);
  for (const server of servers) process.stdout.write(`${linesOf(server).join('\n')}\n`);
  return servers.some(({ status }) => status === 'missing') ? 1 : 0;
}

/** `emend doctor --install NAME`: the only command that downloads. */
async function install(name: string): Promise<number> {
  const definitions = await shippedServerDefinitions();
  const definition = definitions.find((one) => one.name === name);
  if (!definition) {
    const names = definitions.filter(({ npm }) => npm.length > 0).map((one) => one.name);
    throw new UsageError(`--install ${name}: no such server. These can be installed: ${names.join(', ')}`);
  }
  const outcome = await installServer(definition, { folder: serversFolder(), nodeVersion: process.version });
  if (outcome.status === 'not_installed') {
    process.stderr.write(`emend: ${outcome.reason}\n`);
    return 1;
  }
  process.stdout.write(`installed ${outcome.packages.join(', ')} in ${outcome.folder}\n`);
  return 0;
}

function linesOf(server: SurveyedServer): readonly string[] {
  const languages = server.languages.join(', ');
  switch (server.status) {
    case 'found': {
      const project = server.project ? `, goes by ${server.project}` : '';
      return [
        `${server.version === null ? 'unsure ' : 'ok     '} ${server.name} ${server.version ?? '(version not known)'} (${server.foundIn}${project}): ${languages}`,
        `        root ${server.root}, verified with ${server.verified}`,
      ];
    }
    case 'missing':
      return [`missing ${server.name}: ${languages}`, `        ${server.reason}`, `        install: ${server.install}`];
  }
}

async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new UsageError(`--root ${path} is not a folder. Name one that exists.`, { cause: error });
  }
}
