import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coarseGlobs, globMatch } from '../../../src/workspace/search/glob-match.ts';

const PATHS = [
  ...['a.ts', 'b.ts', 'ab.ts', 'é.ts', 'é1.txt', '😀1.txt', 'a1.txt', 'x/a.ts', 'x/y/a.ts', 'x/y/b.tsx', 'x/[id]/p.ts'],
  ...[
    'x/{b}/p.ts',
    '.env',
    '.h/a.ts',
    'x y/c d.txt',
    'star*.txt',
    'back\\slash.txt',
    '!bang.txt',
    'a-b.ts',
    'A.TS',
    '日/本.md',
  ],
];

describe('a glob takes the paths that are meant', () => {
  test.each([
    ['*.ts', ['a.ts', 'b.ts', 'ab.ts', 'é.ts', 'x/a.ts', 'x/y/a.ts', 'x/[id]/p.ts', 'x/{b}/p.ts', '.h/a.ts', 'a-b.ts']],
    ['/*.ts', ['a.ts', 'b.ts', 'ab.ts', 'é.ts', 'a-b.ts']],
    ['?.ts', ['a.ts', 'b.ts', 'é.ts', 'x/a.ts', 'x/y/a.ts', 'x/[id]/p.ts', 'x/{b}/p.ts', '.h/a.ts']],
    ['?1.txt', ['é1.txt', '😀1.txt', 'a1.txt']],
    ['[!a]1.txt', ['é1.txt', '😀1.txt']],
    ['[é😀]1.txt', ['é1.txt', '😀1.txt']],
    ['x/*.ts', ['x/a.ts']],
    ['x/**/*.ts', ['x/a.ts', 'x/y/a.ts', 'x/[id]/p.ts', 'x/{b}/p.ts']],
    ['x/**', ['x/a.ts', 'x/y/a.ts', 'x/y/b.tsx', 'x/[id]/p.ts', 'x/{b}/p.ts']],
    ['x/{,y/}a.ts', ['x/a.ts', 'x/y/a.ts']],
    ['x/{a.ts,y/b.tsx}', ['x/a.ts', 'x/y/b.tsx']],
    ['x/\\[id\\]/*', ['x/[id]/p.ts']],
    ['x/\\{b\\}/*', ['x/{b}/p.ts']],
    ['star\\*.txt', ['star*.txt']],
    ['back\\\\slash.txt', ['back\\slash.txt']],
    ['[a-b].ts', ['a.ts', 'b.ts', 'x/a.ts', 'x/y/a.ts', '.h/a.ts']],
    ['**/y/*', ['x/y/a.ts', 'x/y/b.tsx']],
  ])('%s', (glob, expected) => {
    expect(PATHS.filter(globMatch([glob])).sort()).toEqual([...expected].sort());
  });

  test('a byte that is no UTF-8 is one character', () => {
    expect(globMatch(['n?.txt'])('n\\xff.txt')).toBe(true);
    expect(globMatch(['n??.txt'])('n\\xff.txt')).toBe(false);
  });
});

describe('beside ripgrep', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'emend-globs-'));
    for (const path of PATHS) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const listed = (globs: readonly string[]): readonly string[] => {
    const args = ['--no-config', '--hidden', '--files', '--null', ...globs.flatMap((glob) => ['--glob', glob]), './'];
    const { stdout } = (() => {
      try {
        return {
          stdout: execFileSync(rgPath, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
        };
      } catch {
        return { stdout: '' };
      }
    })();
    return stdout
      .split('\0')
      .slice(0, -1)
      .map((path) => path.slice(2))
      .sort();
  };

  const STEMS = ['*', 'a', '[ab]', '{a,b}', '{a,x/a}', '**', 'x', 'a*', '*b*', '{*,.*}', '\\a', 'a-b', '[a-c]*'];
  const globs = STEMS.flatMap((a) => ['.ts', '/*', '/**', '/a.ts', '/**/*.ts', '/*/*.{ts,tsx}'].map((b) => `${a}${b}`));

  test('globs of ASCII mean the same', () => {
    for (const glob of globs) expect([glob, PATHS.filter(globMatch([glob])).sort()]).toEqual([glob, listed([glob])]);
  });

  test('ripgrep is given globs with which it misses nothing', () => {
    for (const glob of [...globs, '?.ts', '?1.txt', '[!a]1.txt', 'x/{,y/}?.ts', 'x/??/*', '[é]*', '{,a}b.ts']) {
      expect([glob, listed(coarseGlobs(glob))]).toEqual([
        glob,
        expect.arrayContaining(PATHS.filter(globMatch([glob]))),
      ]);
    }
  });
});
