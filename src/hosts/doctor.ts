import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { doctor as survey } from '../diagnostics/doctor.ts';
import { languagesHere } from '../diagnostics/languages-here.ts';
import { languageIdOf } from '../workspace/document-snapshot.ts';
import { shippedServerDefinitions } from '../workspace/language-server/disk-server-definitions.ts';
import { serversFolder } from '../workspace/language-server/disk-server-machine.ts';
import { ignoredServersFile } from '../workspace/language-server/disk-server-overrides.ts';
import { localRun } from '../workspace/local-run.ts';
import { rootStateFolder } from '../workspace/local-state-folder.ts';
import { parseOptions } from './command-options.ts';
import { readResidentSettings } from './config/root-settings.ts';
import { doctorPage } from './doctor-page.ts';
import { installServer } from './install-server.ts';
import { LOG_NAME } from './root-log.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/**
 * `emend doctor [FILE]`: which server serves which language here, found where and in which version, or what to install.
 * Starts nothing. Returns the exit status: 1 where FILE has no server, or a language of the root that people mostly have
 * one for.
 */
export async function doctor(file: string | undefined, rawOptions: Record<string, unknown>): Promise<number> {
  if (typeof rawOptions.install === 'string') return install(rawOptions.install);
  const options = parseOptions(rawOptions);
  const root = await realFolder(options.root?.[0] ?? '.');
  const path = file === undefined ? undefined : resolve(root, file);
  if (path !== undefined && !(await stat(path).catch(() => undefined))) {
    throw new UsageError(`${file} is not there (${path}). Name a file that exists, relative to the root ${root}.`);
  }
  const asked = path === undefined ? undefined : { path, languageId: languageIdOf(path) };
  const settings = await readResidentSettings(root, options);
  const [servers, here, ignored] = await Promise.all([
    survey({ root, overrides: settings.root.servers ?? [], ...(asked && { file: asked }) }),
    asked ? new Map([[asked.languageId, 1]]) : languagesHere(localRun, root),
    ignoredServersFile(root),
  ]);
  const page = doctorPage({ servers, here, of: asked ? 'file' : 'root' });
  process.stdout.write(`emend ${version}, node ${process.version}, root ${root}\n`);
  if (ignored !== undefined) {
    process.stdout.write(`ignored ${ignored}: the project is not trusted (emend trust ${root})\n`);
  }
  for (const note of settings.notes) process.stdout.write(`${note}\n`);
  process.stdout.write(`log ${join(rootStateFolder(root), LOG_NAME)} (${settings.root.logLevel ?? 'info'})\n`);
  for (const line of page.lines) process.stdout.write(`${line}\n`);
  return page.isWanting ? 1 : 0;
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

async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new UsageError(`--root ${path} is not a folder. Name one that exists.`, { cause: error });
  }
}
