import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveSettings, type SettingsVoice } from '../../../src/hosts/config/resolve-settings.ts';
import { DEFAULT_SETTINGS, SETTING_NAMES, type Settings } from '../../../src/hosts/config/settings.ts';
import { UNTRUSTED_RULES, untrustedSettings } from '../../../src/hosts/config/untrusted-settings.ts';

const voices = (user: Settings, project: Settings, flag: Settings): readonly SettingsVoice[] => [
  { origin: { from: 'user', file: '/u' }, settings: user },
  { origin: { from: 'project', file: '/p' }, settings: project },
  { origin: { from: 'flag' }, settings: flag },
];

test.each<[string, Parameters<typeof voices>, keyof typeof UNTRUSTED_RULES, unknown, string[]]>([
  ['nobody: the default', [{}, {}, {}], 'snippet', 'always', ['default']],
  ['the user over the default', [{ snippet: 'never' }, {}, {}], 'snippet', 'never', ['user']],
  [
    'the project over the user',
    [{ snippet: 'never' }, { snippet: 'tolerant' }, {}],
    'snippet',
    'tolerant',
    ['project'],
  ],
  [
    'an option over all',
    [{ snippet: 'never' }, { snippet: 'tolerant' }, { snippet: 'always' }],
    'snippet',
    'always',
    ['flag'],
  ],
  ['false over true', [{ strictWrite: true }, { strictWrite: false }, {}], 'strictWrite', false, ['project']],
  [
    'deny lists are joined',
    [{ deny: ['a'] }, { deny: ['b', 'a'] }, { deny: ['c'] }],
    'deny',
    ['a', 'b', 'c'],
    ['user', 'project', 'flag'],
  ],
  ['an empty list takes nothing away', [{ deny: ['a'] }, { deny: [] }, {}], 'deny', ['a'], ['user', 'project']],
  [
    'servers are joined by name',
    [{ servers: { a: 'off', b: 'off' } }, { servers: { b: { languages: ['x'] } } }, {}],
    'servers',
    { a: 'off', b: { languages: ['x'] } },
    ['user', 'project'],
  ],
  ['a model takes back a weaker dialect', [{ dialect: 'gemini' }, {}, { model: 'gpt-5' }], 'dialect', undefined, []],
  ['a dialect takes back a weaker model', [{ model: 'gpt-5' }, { dialect: 'gemini' }, {}], 'model', undefined, []],
  ['one that says both keeps both', [{}, { model: 'm', dialect: 'gemini' }, {}], 'dialect', 'gemini', ['project']],
])('%s', (_what, said, name, value, from) => {
  const { [name]: found } = resolveSettings(voices(...said));
  expect(found.value).toEqual(value);
  expect(found.origins.map((origin) => origin.from)).toEqual(from);
});

const WIDEST: Required<Omit<Settings, '$schema'>> = {
  ...DEFAULT_SETTINGS,
  deny: [],
  allow: ['/'],
  servers: { mine: { places: [{ from: 'path', command: 'sh' }] }, pyright: 'off' },
  unconfined: true,
  untrusted: false,
  tools: ['Bash'],
  model: 'm',
  experimentalLsp: true,
  allowRefactor: true,
  strictWrite: false,
  loopStrict: false,
  logLevel: 'off',
};

test('a project that is not trusted narrows, and never widens', () => {
  const { taken, notTaken } = untrustedSettings(WIDEST);
  expect(taken).toEqual({
    deny: [],
    dialect: 'claude',
    model: 'm',
    snippet: 'always',
    loopFailures: 2,
    loopNotes: 3,
    loopNear: 3,
    severity: 'error',
    servers: { pyright: 'off' },
  });
  expect(notTaken).toEqual([
    'allow',
    'unconfined',
    'untrusted',
    'tools',
    'experimentalLsp',
    'allowRefactor',
    'strictWrite',
    'loopStrict',
    'waitCold',
    'servers.mine',
    'inProcess',
    'idle',
    'structured',
    'maxOutput',
    'answerWithin',
    'logLevel',
  ]);
  expect(untrustedSettings({ strictWrite: true, untrusted: true, loopStrict: true })).toEqual({
    taken: { strictWrite: true, untrusted: true, loopStrict: true },
    notTaken: [],
  });
});

test('law: whatever an untrusted project says, what the user forbade stays forbidden', () => {
  const setting = fc.record<Settings>(
    {
      deny: fc.array(fc.constantFrom('a', 'b', 'c')),
      allow: fc.array(fc.constantFrom('/x', '/y')),
      unconfined: fc.boolean(),
      untrusted: fc.boolean(),
      strictWrite: fc.boolean(),
      tools: fc.array(fc.constantFrom('Read', 'Bash')),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(setting, setting, (user, project) => {
      const alone = resolveSettings(voices(user, {}, {}));
      const both = resolveSettings(voices(user, untrustedSettings(project).taken, {}));
      expect(both.deny.value).toEqual(expect.arrayContaining(alone.deny.value as string[]));
      for (const name of ['allow', 'unconfined', 'tools'] as const) expect(both[name].value).toEqual(alone[name].value);
      for (const name of ['untrusted', 'strictWrite'] as const) {
        if (alone[name].value === true) expect(both[name].value).toBe(true);
      }
    }),
    { seed: 3 },
  );
});

test('each setting has a rule for projects that are not trusted', () => {
  expect(Object.keys(UNTRUSTED_RULES).sort()).toEqual([...SETTING_NAMES].sort());
});
