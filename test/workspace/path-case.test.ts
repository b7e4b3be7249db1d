import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CaseMemory, type NameLook, spelledAsListed } from '../../src/workspace/path-case.ts';

const TREE = ['/mnt', '/mnt/Work', '/mnt/Work/src', '/mnt/Work/src/Auth.ts', '/mnt/Work/src/Ünder.ts'];

/** A file system of these paths that keeps case, and tells it apart or not. */
function fileSystem(paths: readonly string[], folds: (path: string) => string): NameLook {
  return {
    identity: (path) => paths.find((each) => folds(each) === folds(path)),
    list: async (folder) => paths.filter((each) => dirname(each) === folder).map((each) => basename(each)),
  };
}

const folding = fileSystem(TREE, (path) => path.toLowerCase());

test.each([
  ['/mnt/Work/src/Auth.ts', '/mnt/Work/src/Auth.ts'],
  ['/mnt/Work/src/auth.TS', '/mnt/Work/src/Auth.ts'],
  ['/mnt/work/SRC/AUTH.ts', '/mnt/Work/src/Auth.ts'],
  ['/MNT/WORK/SRC', '/mnt/Work/src'],
  ['/mnt/work/src/ünder.ts', '/mnt/Work/src/Ünder.ts'],
  ['/mnt/Work/src/new.ts', '/mnt/Work/src/new.ts'],
  ['/', '/'],
])('where case is folded, %s is %s', async (spelled, listed) => {
  expect(await spelledAsListed(spelled, folding)).toBe(listed);
});

test('where case counts, every path stays as it is, twins too', async () => {
  const telling = fileSystem([...TREE, '/mnt/Work/SRC', '/mnt/Work/SRC/auth.ts'], (path) => path);
  for (const path of ['/mnt/Work/src/Auth.ts', '/mnt/Work/SRC/auth.ts', '/mnt/work/src', '/mnt/Work/src/new.ts'])
    expect(await spelledAsListed(path, telling)).toBe(path);
});

test('two names of one file that are both listed stay two', async () => {
  const linked: NameLook = { identity: () => 'one', list: async () => ['a.ts', 'A.TS'] };
  expect(await spelledAsListed(join('/', 'A.TS'), linked)).toBe('/A.TS');
  expect(await spelledAsListed(join('/', 'a.ts'), linked)).toBe('/a.ts');
});

describe('what was seen of a folder', () => {
  const telling = fileSystem([...TREE, '/mnt/Work/src/b.ts'], (path) => path);

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
    expect(await spelledAsListed('/mnt/Work/src/Auth.ts', counting, memory)).toBe('/mnt/Work/src/Auth.ts');
    looks.length = 0;
    expect(await spelledAsListed('/mnt/Work/src/b.ts', counting, memory)).toBe('/mnt/Work/src/b.ts');
    expect(looks).toEqual(['/mnt/Work/src']);
  });

  test('is forgotten where another folder stands in its place', async () => {
    const memory: CaseMemory = new Map();
    await spelledAsListed('/mnt/Work/src/Auth.ts', telling, memory);
    const mounted: NameLook = {
      identity: (path) => folding.identity(path) && `mounted ${folding.identity(path)}`,
      list: folding.list,
    };
    expect(await spelledAsListed('/mnt/Work/src/AUTH.ts', mounted, memory)).toBe('/mnt/Work/src/Auth.ts');
  });

  test('is only remembered where it is sure: not by a name beyond ASCII, nor where case is folded', async () => {
    for (const [name, look] of [
      ['/mnt/Work/src/Ünder.ts', telling],
      ['/mnt/Work/src/Auth.ts', folding],
    ] as const) {
      const memory: CaseMemory = new Map();
      await spelledAsListed(name, look, memory);
      expect(memory.has('/mnt/Work/src')).toBe(false);
    }
  });
});
