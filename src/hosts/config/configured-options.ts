import type { CommandOptions } from '../command-options.ts';
import type { ReadSettings } from './read-settings.ts';
import type { ResolvedSettings, SettingsVoice } from './resolve-settings.ts';
import type { SettingName, Settings } from './settings.ts';

/** A command's options with the settings of files under them. What no one set is absent. */
export async function configuredOptions(flags: CommandOptions, read: ReadSettings): Promise<CommandOptions> {
  if (read.layers.length === 0) return flags;
  const resolved = await resolvedFor(flags, read);
  const set: Record<string, unknown> = {};
  for (const [name, { value, origins }] of Object.entries(resolved)) {
    const isSet = origins.some(({ from }) => from !== 'default');
    // Options are there or not: one that is off is not there.
    if (isSet && value !== false && name !== 'servers') set[name] = value;
  }
  const { root, session, json, stop, status, config } = flags;
  const ofTheCommand = { root, session, json, stop, status, config };
  return { ...definedOf(ofTheCommand), ...set } as CommandOptions;
}

/** What holds for a command, and who said so. Loads the schema: not for commands where no file says anything. */
export async function resolvedFor(flags: CommandOptions, read: ReadSettings): Promise<ResolvedSettings> {
  const [{ resolveSettings }, { SETTING_NAMES }] = await Promise.all([
    import('./resolve-settings.ts'),
    import('./settings.ts'),
  ]);
  const voices: SettingsVoice[] = read.layers.map(({ from, file, settings }) => ({
    origin: { from, file },
    settings: withOwnFileDenied(file, settings),
  }));
  const said = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, (flags as Partial<Record<SettingName, unknown>>)[name]]),
  );
  return resolveSettings([...voices, { origin: { from: 'flag' }, settings: definedOf(said) as Settings }]);
}

/** A boundary that those inside could move is none: the file with a deny list is on it. */
function withOwnFileDenied(file: string, settings: Settings): Settings {
  if (!settings.deny || settings.deny.length === 0 || file.includes('#')) return settings;
  return { ...settings, deny: [...settings.deny, file.replace(/[\\*?[\]{}()!+@|^$]/g, '\\$&')] };
}

function definedOf(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
