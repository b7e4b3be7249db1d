import type { FixedLimit } from './fixed-limits.ts';
import type { ReadSettings } from './read-settings.ts';
import type { ResolvedSettings } from './resolve-settings.ts';

/** What `emend config` prints: the files, what does not count and why, then each setting with who said so, then what is fixed. */
export function configPage(page: {
  readonly version: string;
  readonly root: string;
  readonly trusted: boolean;
  readonly places: { readonly user: string; readonly project: string; readonly log: string };
  readonly read: ReadSettings;
  readonly settings: ResolvedSettings;
  readonly limits: Readonly<Record<string, FixedLimit>>;
}): readonly string[] {
  const { layers, notes } = page.read;
  const fileOf = (from: 'user' | 'project'): string => {
    const files = layers.filter((layer) => layer.from === from).map(({ file }) => file);
    return files.length === 0 ? `${page.places[from]} (not there)` : files.join(', ');
  };
  const rows = Object.entries(page.settings).map(([name, { value, origins }]) => ({
    name,
    value: value === undefined ? '(not set)' : JSON.stringify(value),
    from: origins.map(({ from }) => from).join(' + '),
  }));
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const valueWidth = Math.min(40, Math.max(...rows.map(({ value }) => value.length)));
  const limits = Object.entries(page.limits);
  const limitWidth = Math.max(...limits.map(([name]) => name.length));
  return [
    `emend ${page.version}, root ${page.root}${page.trusted ? ', trusted' : ''}`,
    `user     ${fileOf('user')}`,
    `project  ${fileOf('project')}`,
    `log      ${page.places.log}`,
    ...notes.map((note) => `note: ${note}`),
    '',
    ...rows.map(({ name, value, from }) => `${name.padEnd(nameWidth)}  ${value.padEnd(valueWidth)}  ${from}`.trimEnd()),
    '',
    ...limits.map(
      ([name, { value, unit, what }]) => `${name.padEnd(limitWidth)}  ${`${value} ${unit}`.padEnd(18)}  ${what}`,
    ),
  ];
}
