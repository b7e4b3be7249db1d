import { DEFAULT_SETTINGS, SETTING_NAMES, type SettingName, settingsSchema } from '../../src/hosts/config/settings.ts';
import { UNTRUSTED_RULES } from '../../src/hosts/config/untrusted-settings.ts';

const RULE_WORDS = { any: 'taken', only_true: 'only `true`', only_off: 'only `"off"`', none: 'not taken' } as const;

const UNSET: Readonly<Partial<Record<SettingName, string>>> = { tools: 'those of the dialect', model: 'none' };

/** The rows of the table of settings in the documentation, from the definition. */
export function settingsTable(): readonly string[] {
  return SETTING_NAMES.map((name) => {
    const standard = (DEFAULT_SETTINGS as Readonly<Record<string, unknown>>)[name];
    const shown = standard === undefined ? UNSET[name] : `\`${JSON.stringify(standard)}\``;
    const { description = '' } = settingsSchema.shape[name];
    return `| \`${name}\` | ${shown} | ${description} | ${RULE_WORDS[UNTRUSTED_RULES[name]]} |`;
  });
}
