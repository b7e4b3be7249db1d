import { DEFAULT_SETTINGS, SETTING_NAMES, type SettingName, type Settings } from './settings.ts';

/** Who said what a setting is. */
type SettingOrigin =
  | { readonly from: 'default' }
  | { readonly from: 'user' | 'project'; readonly file: string }
  | { readonly from: 'flag' };

interface ResolvedSetting {
  /** `undefined`: nobody said anything, and it depends on others. */
  readonly value: unknown;
  /** Of a list that is joined, all that add to it. */
  readonly origins: readonly SettingOrigin[];
}

/** Each setting as it is in force, with where it came from. */
export type ResolvedSettings = Readonly<Record<SettingName, ResolvedSetting>>;

/** One who says something; a later one has more weight. */
export interface SettingsVoice {
  readonly origin: SettingOrigin;
  readonly settings: Settings;
}

/** Nobody takes away what another forbade or allowed. */
const JOINED: readonly SettingName[] = ['deny', 'allow'];
/** Two ways to say one thing: who says one takes back what weaker ones say of the other. */
const EITHER: Readonly<Partial<Record<SettingName, SettingName>>> = { dialect: 'model', model: 'dialect' };

/** What holds, from voices in the order of their weight. */
export function resolveSettings(voices: readonly SettingsVoice[]): ResolvedSettings {
  const resolved: Partial<Record<SettingName, ResolvedSetting>> = {};
  for (const name of SETTING_NAMES) resolved[name] = resolveOne(name, voices);
  return resolved as ResolvedSettings;
}

function resolveOne(name: SettingName, voices: readonly SettingsVoice[]): ResolvedSetting {
  const said = voices.filter(({ settings }) => settings[name] !== undefined);
  const last = said.at(-1);
  const standard: ResolvedSetting = {
    value: (DEFAULT_SETTINGS as Settings)[name],
    origins: [{ from: 'default' }],
  };
  if (!last) return isTakenBack(name, voices, -1) ? { value: undefined, origins: [] } : standard;
  if (isTakenBack(name, voices, voices.indexOf(last))) return { value: undefined, origins: [] };
  if (!JOINED.includes(name) && name !== 'servers') return { value: last.settings[name], origins: [last.origin] };
  const origins = said.map(({ origin }) => origin);
  if (name === 'servers') {
    return { value: Object.assign({}, ...said.map(({ settings }) => settings.servers)) as unknown, origins };
  }
  return { value: [...new Set(said.flatMap(({ settings }) => settings[name] as readonly string[]))], origins };
}

function isTakenBack(name: SettingName, voices: readonly SettingsVoice[], since: number): boolean {
  const other = EITHER[name];
  return other !== undefined && voices.slice(since + 1).some(({ settings }) => settings[other] !== undefined);
}
