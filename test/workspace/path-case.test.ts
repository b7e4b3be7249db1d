import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type NameLook, spelledAsListed } from '../../src/workspace/path-case.ts';

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
