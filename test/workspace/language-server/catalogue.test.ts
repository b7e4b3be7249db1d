import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { languageIdOf } from '../../../src/workspace/document-snapshot.ts';
import { LANGUAGE_BY_EXTENSION, LANGUAGE_BY_NAME } from '../../../src/workspace/language-ids.ts';
import { shippedServerDefinitions } from '../../../src/workspace/language-server/disk-server-definitions.ts';
import type { ServerDefinition } from '../../../src/workspace/language-server/server-definition.ts';

let definitions: readonly ServerDefinition[];
beforeAll(async () => {
  definitions = await shippedServerDefinitions();
});

describe('the catalogue', () => {
  test('has at least 40 servers, each in a file of its name', () => {
    const files = readdirSync(join(import.meta.dirname, '../../../servers'));
    expect(definitions.length).toBeGreaterThanOrEqual(40);
    expect(definitions.map(({ name }) => `${name}.json`).sort()).toEqual(files.sort());
  });

  test('serves only languages that some file name stands for', () => {
    const known = new Set([...Object.values(LANGUAGE_BY_EXTENSION), ...LANGUAGE_BY_NAME.map(([, id]) => id)]);
    // Files of these are told from others by their folder alone, which an editor knows.
    for (const id of ['ansible', 'helm']) known.add(id);
    for (const { name, languages } of definitions) {
      expect(
        languages.filter((id) => !known.has(id)),
        name,
      ).toEqual([]);
    }
  });

  test('believes a push without a version only of servers that were tried', () => {
    const untried = definitions.filter(({ verified }) => verified === 'never');
    expect(untried.map(({ diagnostics }) => diagnostics.kind)).not.toContain('unversioned-push');
  });

  test('names in insteadOf are servers of it; what emend can install has a version and a place', () => {
    const names = new Set(definitions.map(({ name }) => name));
    for (const { name, insteadOf, npm, places } of definitions) {
      expect(
        insteadOf.filter((other) => !names.has(other)),
        name,
      ).toEqual([]);
      expect(
        places.some(({ from }) => from === 'installed'),
        name,
      ).toBe(npm.length > 0);
    }
  });
});

test.each([
  ['Dockerfile', 'dockerfile'],
  ['Dockerfile.dev', 'dockerfile'],
  ['compose.yaml', 'dockercompose'],
  ['a.yml', 'yaml'],
  ['tsconfig.base.json', 'jsonc'],
  ['package.json', 'json'],
  ['go.mod', 'go.mod'],
  ['a.mts', 'typescript'],
  ['A.PY', 'python'],
  ['LICENSE', 'plaintext'],
])('%s is of language %s', (name, languageId) => {
  expect(languageIdOf(`/p/${name}`)).toBe(languageId);
});
