import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  configFolder,
  isTrusted,
  serverDefinitionsFor,
} from '../../workspace/language-server/disk-server-overrides.ts';
import { UsageError } from '../usage-error.ts';
import { readSettingsFile } from './read-settings-file.ts';
import type { Settings } from './settings.ts';

/** The name of a project's own file, in its root. */
export const PROJECT_FILE = 'emend.config.json';
/** The member of a manifest that stands for such a file. */
const MANIFEST_MEMBER = 'emend';
const MAX_BYTES = 256 * 1024;
const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;

/** The settings of one file, with paths made absolute; of a project that is not trusted those that count. */
interface SettingsLayer {
  readonly from: 'user' | 'project';
  /** Absolute; with `#emend` where it is a member of a manifest. */
  readonly file: string;
  readonly settings: Settings;
  /** Names that do not count, since the project is not trusted. */
  readonly notTaken: readonly string[];
}

/** What the files of settings said. */
export interface ReadSettings {
  /** From the weakest on: the user's, the projects' of the further roots, the first root's. */
  readonly layers: readonly SettingsLayer[];
  /** What a person should hear of: settings that do not count, and why. */
  readonly notes: readonly string[];
}

/** As if there were no file of settings. */
export const NO_SETTINGS: ReadSettings = { layers: [], notes: [] };

/** The user's own file: `$XDG_CONFIG_HOME/emend/config.json`, else `~/.config/emend/config.json`. */
export function userSettingsFile(): string {
  return join(configFolder(), 'config.json');
}

/**
 * The settings that files make for some roots (real paths): the user's and the first root's, and the deny lists of the
 * further ones. With `untrusted` no project is trusted.
 * @throws UsageError naming the file that is wrong: what it denies is not known then, so nothing may be run
 */
export async function readSettings(
  roots: readonly [string, ...string[]],
  options: { readonly untrusted?: true | undefined } = {},
): Promise<ReadSettings> {
  const file = userSettingsFile();
  const text = await readSettingsFile(file, { maxBytes: MAX_BYTES });
  const own = text === undefined ? undefined : await parsed({ file, text });
  const user: SettingsLayer[] = own ? [{ from: 'user', file, settings: own, notTaken: [] }] : [];
  const untrusted = options.untrusted ?? own?.untrusted;
  const notes: string[] = [];
  const [first, ...further] = await Promise.all(roots.map((root) => readProject(root, { untrusted }, notes)));
  const others = further.flatMap((layer) =>
    layer?.settings.deny ? [{ ...layer, settings: { deny: layer.settings.deny } }] : [],
  );
  const layers = [...user, ...others, ...(first ? [first] : [])].map(absolute);
  await checkServers(roots[0], layers);
  return { layers, notes };
}

/** A definition that is wrong is told now, not when the first file that it serves is read. */
async function checkServers(root: string, layers: readonly SettingsLayer[]): Promise<void> {
  const overrides = layers.flatMap(({ file, settings }) =>
    settings.servers ? [{ file, servers: settings.servers }] : [],
  );
  if (overrides.length === 0) return;
  await serverDefinitionsFor(root, { overrides }).catch((error: unknown) => {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  });
}

async function readProject(
  root: string,
  options: { readonly untrusted: boolean | undefined },
  notes: string[],
): Promise<SettingsLayer | undefined> {
  const file = join(root, PROJECT_FILE);
  const text = await readSettingsFile(file, { maxBytes: MAX_BYTES, within: root });
  const manifest = await readManifest(root, notes);
  if (text !== undefined && manifest) {
    notes.push(`${file} counts, and ${manifest.file} does not: there are both. Leave one`);
  }
  const settings = text === undefined ? manifest?.settings : await parsed({ file, text });
  if (!settings) return undefined;
  const layer = { from: 'project' as const, file: text === undefined ? (manifest?.file ?? file) : file };
  if (!options.untrusted && (await isTrusted(root))) return { ...layer, settings, notTaken: [] };
  const { untrustedSettings } = await import('./untrusted-settings.ts');
  const { taken, notTaken } = untrustedSettings(settings);
  if (notTaken.length > 0) {
    const how = options.untrusted ? 'nothing of it is trusted (untrusted)' : `trust it by: emend trust ${root}`;
    notes.push(`${layer.file}: not taken, since the project is not trusted: ${notTaken.join(', ')}; ${how}`);
  }
  return { ...layer, settings: taken, notTaken };
}

/** A manifest that can't be read is its owner's to mend, perhaps by us, unless it has settings that are not known then. */
async function readManifest(
  root: string,
  notes: string[],
): Promise<{ readonly file: string; readonly settings: Settings } | undefined> {
  const file = join(root, 'package.json');
  const text = await readSettingsFile(file, { maxBytes: MAX_MANIFEST_BYTES, within: root }).catch((error: Error) => {
    notes.push(`${error.message} If it has settings, they do not count`);
    return undefined;
  });
  // Most have none, and nothing is loaded for them.
  if (!text?.includes(`"${MANIFEST_MEMBER}"`)) return undefined;
  const settings = await parsed({ file, text, member: MANIFEST_MEMBER });
  return settings && { file: `${file}#${MANIFEST_MEMBER}`, settings };
}

/** The parser is loaded where there is something to parse. */
async function parsed(source: {
  readonly file: string;
  readonly text: string;
  readonly member?: string;
}): Promise<Settings | undefined> {
  const { parseSettings } = await import('./parse-settings.ts');
  return parseSettings(source);
}

/** Paths of `allow`, and those of `deny` that begin with `~/`, as absolute ones; the others are relative to the file. */
function absolute(layer: SettingsLayer): SettingsLayer {
  const { allow, deny } = layer.settings;
  const folder = resolve(layer.file, '..');
  const atHome = (path: string): string => (path.startsWith('~/') ? join(homedir(), path.slice(2)) : path);
  return {
    ...layer,
    settings: {
      ...layer.settings,
      ...(allow && { allow: allow.map((path) => resolve(folder, atHome(path))) }),
      ...(deny && { deny: deny.map(atHome) }),
    },
  };
}
