import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CaseMemory, type NameLook, spelledAsListed } from '../../src/workspace/path-case.ts';

const TREE = ['/mnt', '/mnt/Volume', '/mnt/Volume/src', '/mnt/Volume/src/Auth.ts', '/mnt/Volume/src/Ünder.ts'];

/** A file system of these paths that keeps case, and tells it apart or not. */
function fileSystem(paths: readonly string[], folds: (path: string) => string): NameLook {
  return {
    identity: (path) => paths.find((each) => folds(each) === folds(path)),
    list: async (folder) => paths.filter((each) => dirname(each) === folder).map((each) => basename(each)),
  };
}

const folding = fileSystem(TREE, (path) => path.toLowerCase());

test.each([
  ['/mnt/Volume/src/Auth.ts', '/mnt/Volume/src/Auth.ts'],
  ['/mnt/Volume/src/auth.TS', '/mnt/Volume/src/Auth.ts'],
  ['/mnt/volume/SRC/AUTH.ts', '/mnt/Volume/src/Auth.ts'],
  ['/MNT/VOLUME/SRC', '/mnt/Volume/src'],
  ['/mnt/volume/src/ünder.ts', '/mnt/Volume/src/Ünder.ts'],
  ['/mnt/Volume/src/new.ts', '/mnt/Volume/src/new.ts'],
  ['/', '/'],
])('where case is folded, %s is %s', async (spelled, listed) => {
  expect(await spelledAsListed(spelled, folding)).toBe(listed);
});

test('where case counts, every path stays as it is, twins too', async () => {
  const telling = fileSystem([...TREE, '/mnt/Volume/SRC', '/mnt/Volume/SRC/auth.ts'], (path) => path);
  for (const path of [
    '/mnt/Volume/src/Auth.ts',
    '/mnt/Volume/SRC/auth.ts',
    '/mnt/volume/src',
    '/mnt/Volume/src/new.ts',
  ])
    expect(await spelledAsListed(path, telling)).toBe(path);
});

test('two names of one file that are both listed stay two', async () => {
  const linked: NameLook = { identity: () => 'one', list: async () => ['a.ts', 'A.TS'] };
  expect(await spelledAsListed(join('/', 'A.TS'), linked)).toBe('/A.TS');
  expect(await spelledAsListed(join('/', 'a.ts'), linked)).toBe('/a.ts');
});

describe('what was seen of a folder', () => {
  const telling = fileSystem([...TREE, '/mnt/Volume/src/b.ts'], (path) => path);

  test('spares a look at each name on the way', async () => {
    const memory: CaseMemory = new Map();
    const looks: string[] = [];
    const counting: NameLook = {
      identity: (path) => {
        looks.push(path);
        return telling.identity(path);
      },
      list: telling.list,
    };
    expect(await spelledAsListed('/mnt/Volume/src/Auth.ts', counting, memory)).toBe('/mnt/Volume/src/Auth.ts');
    looks.length = 0;
    expect(await spelledAsListed('/mnt/Volume/src/b.ts', counting, memory)).toBe('/mnt/Volume/src/b.ts');
    expect(looks).toEqual(['/mnt/Volume/src']);
  });

  test('is forgotten where another folder stands in its place', async () => {
    const memory: CaseMemory = new Map();
    await spelledAsListed('/mnt/Volume/src/Auth.ts', telling, memory);
    const mounted: NameLook = {
      identity: (path) => folding.identity(path) && `mounted ${folding.identity(path)}`,
      list: folding.list,
    };
    expect(await spelledAsListed('/mnt/Volume/src/AUTH.ts', mounted, memory)).toBe('/mnt/Volume/src/Auth.ts');
  });

  test('is only remembered where it is sure: not by a name beyond ASCII, nor where case is folded', async () => {
    for (const [name, look] of [
      ['/mnt/Volume/src/Ünder.ts', telling],
      ['/mnt/Volume/src/Auth.ts', folding],
    ] as const) {
      const memory: CaseMemory = new Map();
      await spelledAsListed(name, look, memory);
      expect(memory.has('/mnt/Volume/src')).toBe(false);
    }
  });
});
