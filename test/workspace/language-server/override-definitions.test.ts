import { describe, expect, test } from 'vitest';
import {
  overrideDefinitions,
  withoutProjectCode,
} from '../../../src/workspace/language-server/override-definitions.ts';
import { serverDefinitionSchema } from '../../../src/workspace/language-server/server-definition.ts';

const definition = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
  serverDefinitionSchema.parse({
    name,
    languages: ['plaintext'],
    places: [{ from: 'path', command: name }],
    diagnostics: { kind: 'pull' },
    install: 'get it',
    verified: '1',
    ...more,
  });
const SHIPPED = [definition('one'), definition('two')];
const namesOf = (overrides: unknown): readonly string[] =>
  overrideDefinitions(SHIPPED, overrides, '/f').map(({ name }) => name);

describe("a person's own servers", () => {
  test.each([
    ['nothing', {}, ['one', 'two']],
    ['one off', { one: 'off' }, ['two']],
    ['all off', { '*': 'off' }, []],
    ['all off but one', { '*': 'off', two: {} }, ['two']],
    ['one off that only others have', { elsewhere: 'off' }, ['one', 'two']],
    [
      'one more',
      { mine: { languages: ['plaintext'], places: [{ from: 'path', command: 'm' }], diagnostics: { kind: 'pull' } } },
      ['one', 'two', 'mine'],
    ],
  ])('%s', (_what, overrides, names) => {
    expect(namesOf(overrides)).toEqual(names);
  });

  test('members take the place of the shipped ones, the others stay', () => {
    const [one] = overrideDefinitions(SHIPPED, { one: { settings: { level: 1 } } }, '/f');
    expect(one).toEqual({ ...SHIPPED[0], settings: { level: 1 } });
  });

  test.each([
    [{ one: { languages: [] } }, /^\/f: one\.languages is \[\]\. .+ Mend or remove the file\.$/],
    [{ one: 'on' }, /^\/f: one is "on"\. Give "off", or an object with members of a server definition\. Mend/],
    [{ mine: { languages: ['x'] } }, /^\/f: mine\.places is nothing\. /],
    [{ one: { language: ['x'] } }, /^\/f: one\. .*"language"/],
    [{ '*': {} }, /^\/f: \* is \{\}\. Only "off"/],
    [{ twoo: 'off' }, /^\/f: "twoo" is "off", and no server has that name\. Did you mean two\? Mend the file\.$/],
  ])('%j is refused with the file, the member and its value', (overrides, message) => {
    expect(() => namesOf(overrides)).toThrow(message);
  });
});

test('where nothing of the project may run, its programs and servers that run its code do not serve', () => {
  const left = withoutProjectCode([
    definition('runs', { runsProjectCode: true }),
    definition('its-own', { places: [{ from: 'project', package: 'p', entry: 'e', runtime: 'node' }] }),
    definition('both', {
      places: [
        { from: 'project', package: 'p', entry: 'e', runtime: 'node' },
        { from: 'path', command: 'p' },
      ],
    }),
  ]);
  expect(left.map(({ name, places }) => [name, places.map(({ from }) => from)])).toEqual([['both', ['path']]]);
});

test('nor are its TypeScript and its Python told to the servers that are left', () => {
  const [own] = withoutProjectCode([
    definition('own', {
      project: { package: 'typescript', major: { min: 4 } },
      reportsVersion: '$/version',
      settings: { python: `\${python}`, also: [`\${typescript}/lib`], root: `\${root}` },
      initializationOptions: { path: `\${project}/lib` },
    }),
  ]);
  expect(own).toMatchObject({
    settings: { python: `\${none}`, also: [`\${ownTypescript}/lib`], root: `\${root}` },
    initializationOptions: { path: `\${ownTypescript}/lib` },
  });
  expect(own).not.toHaveProperty('reportsVersion');
  const [other] = withoutProjectCode([
    definition('other', { project: { package: 'ember', major: { min: 1 } }, settings: { ember: `\${project}` } }),
  ]);
  expect(other?.settings).toEqual({ ember: `\${none}` });
});
