import type { SettingName, Settings } from './settings.ts';

/**
 * What of a project's settings counts before a person trusts the project. `any`: it can't widen what is touched or run.
 * `only_true`: it narrows where it is true. `only_off`: of a list of servers those that are off. `none`: it may widen, or
 * hide what was done.
 */
export const UNTRUSTED_RULES: Readonly<Record<SettingName, 'any' | 'only_true' | 'only_off' | 'none'>> = {
  deny: 'any',
  allow: 'none',
  unconfined: 'none',
  untrusted: 'only_true',
  tools: 'none',
  dialect: 'any',
  model: 'any',
  experimentalLsp: 'none',
  allowRefactor: 'none',
  strictWrite: 'only_true',
  snippet: 'any',
  loopFailures: 'any',
  loopNotes: 'any',
  loopNear: 'any',
  loopStrict: 'only_true',
  waitCold: 'none',
  severity: 'any',
  servers: 'only_off',
  inProcess: 'none',
  idle: 'none',
  structured: 'none',
  maxOutput: 'none',
  answerWithin: 'none',
  logLevel: 'none',
};

/** The settings of a project that is not trusted: those that count, and the names of the others. */
export function untrustedSettings(settings: Settings): {
  readonly taken: Settings;
  readonly notTaken: readonly string[];
} {
  const taken: Record<string, unknown> = {};
  const notTaken: string[] = [];
  for (const name of Object.keys(UNTRUSTED_RULES) as SettingName[]) {
    const value = settings[name];
    if (value === undefined) continue;
    switch (UNTRUSTED_RULES[name]) {
      case 'any':
        taken[name] = value;
        break;
      case 'only_true':
        if (value === true) taken[name] = true;
        else notTaken.push(name);
        break;
      case 'only_off': {
        const servers = Object.entries(value as Record<string, unknown>);
        taken[name] = Object.fromEntries(servers.filter(([, server]) => server === 'off'));
        notTaken.push(...servers.flatMap(([server, is]) => (is === 'off' ? [] : [`servers.${server}`])));
        break;
      }
      case 'none':
        notTaken.push(name);
        break;
    }
  }
  return { taken: taken as Settings, notTaken };
}
