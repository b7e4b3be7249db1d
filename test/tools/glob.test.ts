import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { globTool } from '../../src/tools/glob.ts';
import { kernelGlobs, kernelNote } from '../../src/tools/search-ports.ts';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import { StoreError } from '../../src/workspace/document-store.ts';
import { localRun } from '../../src/workspace/local-run.ts';
import { createOverlayStore } from '../../src/workspace/overlay-store.ts';
import type { Run } from '../../src/workspace/run.ts';
import { fileFilter } from '../../src/workspace/search/file-filter.ts';
import { newestFirst } from '../../src/workspace/search/newest-first.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';

type Files = Readonly<Record<string, string>>;

async function room(files: Files | readonly string[], options?: Parameters<typeof openToolRoom>[1]): Promise<ToolRoom> {
  const named = Array.isArray(files) ? Object.fromEntries(files.map((path) => [path, ''])) : { ...files };
  const opened = await openToolRoom(named, options);
  onTestFinished(() => opened.close());
  return opened;
}

/** The paths of an answer, in the order of their names. */
function pathsOf(text: string): readonly string[] {
  return text.split('\n').slice(0, -1).sort();
}

const IGNORING = '.gitignore';

test('what an ignore file takes in again is listed only where it matches', async () => {
  const { call } = await room({
    [IGNORING]: '*.log\n',
    'sub/.gitignore': '!keep.log\n',
    'sub/keep.log': '',
    'x/a.ts': '',
  });
  expect(pathsOf((await call(globTool, { pattern: 'x/**/*.ts' })).text)).toEqual(['x/a.ts']);
  expect((await call(globTool, { pattern: '**/y/*' })).text).toBe('(none)');
  expect(pathsOf((await call(globTool, { pattern: '**/sub/*' })).text)).toEqual(['sub/.gitignore', 'sub/keep.log']);
});

describe('Glob finds what was meant', () => {
  test.each<[string, readonly string[], Record<string, unknown>, readonly string[]]>([
    ['any depth', ['a.ts', 'src/b.ts', 'c.js'], { pattern: '**/*.ts' }, ['a.ts', 'src/b.ts']],
    ['a name alone, at any depth', ['a.ts', 'src/b.ts', 'c.js'], { pattern: '*.ts' }, ['a.ts', 'src/b.ts']],
    [
      '** for no folder at all',
      ['src/Top.java', 'src/main/p/Main.java'],
      { pattern: 'src/**/*.java' },
      ['src/Top.java', 'src/main/p/Main.java'],
    ],
    ['a literal path', ['2026/07/26.md', '2026/07/27.md'], { pattern: '2026/07/26.md' }, ['2026/07/26.md']],
    ['one folder', ['2026/07/26.md', '2026/07/27.md'], { pattern: '2026/07/*.md' }, ['2026/07/26.md', '2026/07/27.md']],
    ['the end of a path', ['2026/07/26.md', '2026/07/27.md'], { pattern: '**/07/26.md' }, ['2026/07/26.md']],
    ['a literal name', ['inbox.md', 'x.md'], { pattern: 'inbox.md' }, ['inbox.md']],
    ['a trailing slash', ['2026/07/26.md', 'x.md'], { pattern: '2026/07/' }, ['2026/07/26.md']],
    ['a slash after a wildcard', ['a.ts', 'src/b.ts', 'src/x/c.ts'], { pattern: '*/' }, ['src/b.ts', 'src/x/c.ts']],
    [
      'the same further down',
      ['src/b.ts', 'src/x/c.ts', 'src/x/y/d.ts'],
      { pattern: 'src/*/' },
      ['src/x/c.ts', 'src/x/y/d.ts'],
    ],
    ['the same with ** written', ['a.ts', 'src/b.ts', 'src/x/c.ts'], { pattern: 'src/*/**' }, ['src/x/c.ts']],
    [
      'folders in a list',
      ['a.ts', 'src/x/c.ts', 'lib/e/f.ts'],
      { pattern: 'src/*/, lib/*/' },
      ['lib/e/f.ts', 'src/x/c.ts'],
    ],
    ['all but a folder', ['a.ts', 'src/b.ts', 'lib/c.ts'], { pattern: '!src/' }, ['a.ts', 'lib/c.ts']],
    ['all but what is in a folder', ['a.ts', 'src/b.ts', 'lib/c.ts'], { pattern: '!src/**' }, ['a.ts', 'lib/c.ts']],
    ['a folder', ['2026/07/26.md', 'x.md'], { pattern: '2026' }, ['2026/07/26.md']],
    ['./', ['f/1.md', 'f/2.md', 'g/3.md'], { pattern: './f/*.md' }, ['f/1.md', 'f/2.md']],
    ['braces', ['a.ts', 'b.tsx', 'c.js'], { pattern: '**/*.{ts,tsx}' }, ['a.ts', 'b.tsx']],
    ['braces with a path', ['src/a.ts', 'lib/b.ts', 'c.ts'], { pattern: '{src,lib}/*.ts' }, ['lib/b.ts', 'src/a.ts']],
    ['commas', ['a.ts', 'b.tsx', 'c.js'], { pattern: '*.ts, *.tsx' }, ['a.ts', 'b.tsx']],
    ['files of the folder that is named', ['src/a.ts', 'src/x/b.ts', 'c.ts'], { pattern: 'src/*.ts' }, ['src/a.ts']],
    ['files of this folder', ['src/a.ts', 'c.ts'], { pattern: './*.ts' }, ['c.ts']],
    [
      'a character of several bytes',
      ['é1.txt', '😀1.txt', 'a1.txt', 'b.txt'],
      { pattern: '[!a]1.txt' },
      ['é1.txt', '😀1.txt'],
    ],
    ['all but one character', ['é1.txt', 'a1.txt', 'ab1.txt'], { pattern: '*.txt, !?1.txt' }, ['ab1.txt']],
    ['all but two characters', ['é1.txt', 'a1.txt', 'ab1.txt'], { pattern: '*.txt, !??1.txt' }, ['a1.txt', 'é1.txt']],
    ['all but a folder of one character', ['é/d/a.txt', 'ab/a.txt', 'é1'], { pattern: '*.txt, !?/' }, ['ab/a.txt']],
    ['one character, of any length', ['é1.txt', 'a1.txt', 'ab1.txt'], { pattern: '?1.txt' }, ['a1.txt', 'é1.txt']],
    [
      'a choice that may be empty',
      ['s/a.ts', 's/d/b.ts', 's/e/c.ts'],
      { pattern: 's/{,d/}*.ts' },
      ['s/a.ts', 's/d/b.ts'],
    ],
    ['a folder with braces in its name', ['app/{x}/p.ts', 'app/x/p.ts'], { pattern: 'app/{x}/*' }, ['app/{x}/p.ts']],
    ['blanks around a name', [' a.txt', 'a.txt'], { pattern: ' a.txt' }, [' a.txt']],
    ['a name that begins with !', ['!a.txt', 'b.txt'], { pattern: '!a.txt' }, ['!a.txt']],
    ['from the path', ['x/src/a.ts', 'src/b.ts'], { pattern: 'src/*.ts', path: 'x' }, ['x/src/a.ts']],
    [
      'a folder with brackets in its name',
      ['app/[id]/page.tsx', 'app/i/page.tsx'],
      { pattern: 'app/[id]/*.tsx' },
      ['app/[id]/page.tsx'],
    ],
    ['a file with brackets in its name', ['app/[id].tsx', 'app/x.tsx'], { pattern: 'app/[id].tsx' }, ['app/[id].tsx']],
    ['brackets at any depth', ['app/[id]/p.ts', 'app/x/p.ts'], { pattern: '**/[id]/*' }, ['app/[id]/p.ts']],
    ['letters to choose from', ['a.ts', 'b.ts', 'c.ts'], { pattern: '[ab].ts' }, ['a.ts', 'b.ts']],
    ['quotes inside the text', ['a.ts', 'b.js'], { pattern: '"*.ts"' }, ['a.ts']],
    ['quotes around each', ['a.ts', 'b.js', 'c.md'], { pattern: "'*.ts', '*.js'" }, ['a.ts', 'b.js']],
    ['bars', ['a.ts', 'b.txt', 'c.js'], { pattern: '*.ts|*.txt' }, ['a.ts', 'b.txt']],
    ['semicolons', ['a.ts', 'b.txt', 'c.js'], { pattern: '*.ts;*.txt' }, ['a.ts', 'b.txt']],
    ['a group', ['a.ts', 'b.ts', 'c.ts'], { pattern: '(a|b).ts' }, ['a.ts', 'b.ts']],
    ['a group with @', ['a.ts', 'b.ts', 'c.ts'], { pattern: '@(a|b).ts' }, ['a.ts', 'b.ts']],
    ['a group of folders', ['src/a.ts', 'lib/b.ts', 'c/d.ts'], { pattern: '(src|lib)/*.ts' }, ['lib/b.ts', 'src/a.ts']],
    ['a folder in parentheses', ['app/(shop)/p.ts', 'app/x.ts'], { pattern: 'app/(shop)/*' }, ['app/(shop)/p.ts']],
    ['numbers in braces', ['1.ts', '2.ts', '3.ts', '4.ts'], { pattern: '{1..3}.ts' }, ['1.ts', '2.ts', '3.ts']],
    ['padded numbers in braces', ['09.ts', '10.ts', '11.ts'], { pattern: '{09..10}.ts' }, ['09.ts', '10.ts']],
    ['letters in braces', ['a.ts', 'b.ts', 'c.ts'], { pattern: '{a..b}.ts' }, ['a.ts', 'b.ts']],
    ['a hidden folder that is named', ['.mem/Task.md', '.env'], { pattern: '**/*', path: '.mem' }, ['.mem/Task.md']],
    ['hidden files, not .git', ['.mem/Task.md', '.env', '.git/config'], { pattern: '**/*' }, ['.env', '.mem/Task.md']],
    ['one hidden file', ['.env', '.git/config'], { pattern: '.env' }, ['.env']],
    ['an empty path for none', ['a.ts'], { pattern: '*.ts', path: '' }, ['a.ts']],
    [
      'names with blanks and odd characters',
      ['a b/c$d.txt', "it's.txt"],
      { pattern: '**/*.txt' },
      ['a b/c$d.txt', "it's.txt"],
    ],
  ])('%s', async (_what, files, args, expected) => {
    const { call } = await room(files);
    const result = await call(globTool, args);
    expect(result.ok).toBe(true);
    expect(pathsOf(result.text)).toEqual(expected);
    expect(result.text).toContain(`(${expected.length} of ${expected.length})`);
    expect(result.receipt).toMatchObject({ complete: true, total: expected.length });
  });

  test('absolute patterns, and those that lead out and back in', async () => {
    const { call, folder } = await room(['f/1.md', 'f/2.md']);
    const name = folder.split('/').at(-1);
    for (const pattern of [`${folder}/f/*.md`, `../${name}/f/*.md`, `${folder}/f/`, `${folder}/f`]) {
      expect(pathsOf((await call(globTool, { pattern })).text)).toEqual(['f/1.md', 'f/2.md']);
    }
    expect(pathsOf((await call(globTool, { pattern: `${folder}/f/1.md` })).text)).toEqual(['f/1.md']);
  });

  test('a pattern outside of the root is refused, not empty, and may say what was meant', async () => {
    const { call } = await room(['f/1.md']);
    const rooted = await call(globTool, { pattern: '/f/*.md' });
    expect(rooted).toMatchObject({ ok: false, receipt: { code: 'denied' } });
    expect(rooted.text).toMatch(/Did you mean f\/\*\.md\?$/);
    expect(await call(globTool, { pattern: '../*.md' })).toMatchObject({ ok: false, receipt: { code: 'denied' } });
  });

  test.each([
    ['a folder that is not there', { pattern: 'nope/*.md' }, 'not_found', 'nope is no folder'],
    ['a path that is not there', { pattern: '*.md', path: 'nope' }, 'not_found', 'nope'],
    ['a path that is a file', { pattern: '*.md', path: 'f/1.md' }, 'invalid_arguments', 'path takes a folder'],
    ['an empty pattern', { pattern: '' }, 'invalid_arguments', 'the pattern is empty'],
    ['a broken pattern', { pattern: 'f/[' }, 'invalid_arguments', "can't be read"],
    ['an extended glob', { pattern: '+(a|b).md' }, 'invalid_arguments', 'Write {a,b}'],
    ['a long range', { pattern: '{1..5000}.md' }, 'invalid_arguments', 'more than 1000 names'],
    ['a NUL', { pattern: 'a\0b' }, 'invalid_arguments', 'has a NUL character'],
  ])('%s is an error, not nothing', async (_what, args, code, words) => {
    const { call } = await room(['f/1.md']);
    const result = await call(globTool, args);
    expect(result).toMatchObject({ ok: false, receipt: { code } });
    expect(result.text).toContain(words);
  });
});

test('a literal path that is not there may have been another', async () => {
  const { call } = await room(['src/auth.ts', 'src/b.ts']);
  expect((await call(globTool, { pattern: 'src/Auth.ts' })).text).toBe('(none; did you mean src/auth.ts?)');
  expect((await call(globTool, { pattern: 'lib/auth.ts' })).text).toBe('(none; did you mean src/auth.ts?)');
});

test.each([
  ['other case', '*.TS', '(none; 2 match in other case: src/auth.ts, src/b.ts)'],
  ['other case of a name', 'AUTH.ts', '(none; 1 matches in other case: src/auth.ts)'],
  ['a regular expression', '.*\\.ts$', '(none; the pattern is read as a glob, not as a regular expression)'],
  ['folders parted by \\', 'src\\b*', '(none; 1 matches with /: src/b.ts; folders are parted by /, not by \\)'],
  ['nothing at all', '*.zig', '(none)'],
])('a pattern that finds nothing says what it may have meant: %s', async (_what, pattern, expected) => {
  const { call, folder } = await room(['src/auth.ts', 'src/b.ts']);
  for (const name of ['src/auth.ts', 'src/b.ts']) utimesSync(join(folder, name), 1_000_000, 1_000_000);
  expect((await call(globTool, { pattern })).text).toBe(expected);
});

test.each([
  ['\\ between folders', 'src\\**\\*.ts', '(none; 1 matches with /: src/a.ts; folders are parted by /, not by \\)'],
  ['files that lie deeper', './a.*', '(none; 1 matches deeper down, with **/ before the name: src/a.ts)'],
  ['a link', 'link.*', '(none; links are not followed, and behind some it matches: link.ts)'],
  ['an empty folder', 'empty/', '(none)'],
])('where nothing is found, %s may have been meant', async (_what, pattern, expected) => {
  const { call, folder } = await room(['src/a.ts']);
  symlinkSync('src/a.ts', join(folder, 'link.ts'));
  mkdirSync(join(folder, 'empty'));
  expect((await call(globTool, { pattern })).text).toBe(expected);
});

test('a name with control characters is shown on one line, and found as it is shown', async () => {
  const { call } = await room(['new\nline.txt', 'e\u001b[2J.txt', 'r\u202el.md', 'x.txt']);
  const shown = ['e\\x1b[2J.txt', 'new\\nline.txt', 'x.txt'];
  expect(pathsOf((await call(globTool, { pattern: '*.txt' })).text)).toEqual(shown);
  for (const pattern of ['new\\nline.txt', 'new\nline.txt']) {
    expect(pathsOf((await call(globTool, { pattern })).text)).toEqual(['new\\nline.txt']);
  }
  expect(pathsOf((await call(globTool, { pattern: 'r\\u202el.md' })).text)).toEqual(['r\\u202el.md']);
});

test.each([
  ['what is no pattern of one kind', '**/!(*.ts)', 'Write **/*, !*.ts; a glob that begins with ! leaves out'],
  ['the same with two names', '!(a|b).ts', 'Write **/*, !{a,b}; a glob that begins with ! leaves out'],
  ['one or more', '*.+(ts|js)', 'Write {ts,js}; a glob that begins with ! leaves out'],
])('%s is refused with the form to write', async (_what, pattern, advice) => {
  const { call } = await room(['a.ts']);
  const { ok, text } = await call(globTool, { pattern });
  expect(ok).toBe(false);
  expect(text).toContain(advice);
});

test('a file that may not be looked at does not hide the others', async () => {
  const disk = createDiskStore();
  const denied = (path: string) => Promise.reject(new StoreError('denied', `${path}: no permission`));
  const stat = (path: string) => (path.endsWith('b.txt') ? denied(path) : disk.stat(path));
  const { call } = await room(['a.txt', 'b.txt'], () => ({ store: { ...disk, stat } }));
  const { ok, text } = await call(globTool, { pattern: '*.txt' });
  expect(ok).toBe(true);
  expect(pathsOf(text)).toEqual(['a.txt', 'b.txt']);
});

describe('Glob and ignored files', () => {
  const files = {
    [IGNORING]: 'dist/\nnode_modules/\n*.tfvars\n',
    'dist/output.txt': '',
    'node_modules/e/package.json': '{}',
    'a.tfvars': '',
  };

  test.each([
    ['a pattern that starts in an ignored folder', { pattern: 'dist/**' }, 'dist/output.txt\n(1 of 1)'],
    ['a path in an ignored folder', { pattern: '*.txt', path: 'dist' }, 'dist/output.txt\n(1 of 1)'],
    ['a literal path', { pattern: 'node_modules/e/package.json' }, 'node_modules/e/package.json\n(1 of 1)'],
    ['a literal name', { pattern: 'a.tfvars' }, 'a.tfvars\n(1 of 1)'],
    ['a pattern at large', { pattern: '**/e/package.json' }, '(none; 1 ignored path also matches)'],
    ['a name at large', { pattern: '**/*.tfvars' }, '(none; 1 ignored path also matches)'],
    ['no_ignore', { pattern: '**/*.tfvars', no_ignore: true }, 'a.tfvars\n(1 of 1)'],
  ])('%s', async (_what, args, expected) => {
    const { call } = await room(files);
    expect((await call(globTool, args)).text).toBe(expected);
  });
});

test.each([
  ['**/made.txt', 'none'],
  ['*.md', '1 of 1'],
])('where there was no time to look at ignored files it is said: %s', async (pattern, found) => {
  const slow: Run = (argv, options) => localRun(argv.includes('--no-ignore') ? ['sleep', '60'] : argv, options);
  const { root } = await room({ [IGNORING]: 'dist/\n', 'dist/made.txt': '', 'a.md': '' }, () => ({ run: slow }));
  const session = createSession({ ...root, looks: { countMs: 25, passedOverMs: 200, changedMs: 300 } }, 'hasty');
  const { text } = await callTool([globTool], { name: 'Glob', args: { pattern } }, { session });
  expect(text.split('\n').at(-1)).toBe(`(${found}; ignored files not looked into)`);
});

describe('Glob orders and cuts', () => {
  test('newest first, ties by path', async () => {
    const { call, folder } = await room(['old.ts', 'new.ts', 'b/tie.ts', 'a/tie.ts', 'c.ts']);
    const at = (name: string, time: number) => utimesSync(join(folder, name), time, time);
    at('old.ts', 1_000_000);
    at('new.ts', 3_000_000);
    for (const name of ['b/tie.ts', 'a/tie.ts', 'c.ts']) at(name, 2_000_000);
    const { text } = await call(globTool, { pattern: '*.ts' });
    expect(text).toBe('new.ts\na/tie.ts\nb/tie.ts\nc.ts\nold.ts\n(5 of 5)');
  });

  test('500 files of one time are shown the same way each time', async () => {
    const names = Array.from({ length: 500 }, (_, n) => `d${n % 13}/f${n}.txt`);
    const { call, folder } = await room(names);
    for (const name of names) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
    const answers = [];
    for (let times = 0; times < 4; times++) answers.push((await call(globTool, { pattern: '**/*' })).text);
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]?.split('\n').slice(0, 100)).toEqual([...names].sort().slice(0, 100));
  });

  test('what the cut leaves out is counted, by folder', async () => {
    const names = Array.from({ length: 1000 }, (_, n) => `build/x/y/${n}.txt`);
    const { call, folder } = await room([...names, 'target/old.txt']);
    utimesSync(join(folder, 'target/old.txt'), 1_000_000, 1_000_000);
    const result = await call(globTool, { pattern: '**/*.txt' });
    expect(result.text.split('\n')).toHaveLength(101);
    expect(result.text).toContain('\n(100 of 1,001; narrow the pattern: build/ 1,000, target/ 1)');
    expect(result.receipt).toMatchObject({ complete: false, why: 'limit', total: 1001 });
  });

  test('a name that is not UTF-8 is shown escaped', async () => {
    const { call, folder } = await room(['ok.txt']);
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/n`), Buffer.from([0xff]), Buffer.from('.txt')]), '');
    expect(pathsOf((await call(globTool, { pattern: '*.txt' })).text)).toEqual(['n\\xff.txt', 'ok.txt']);
  });

  test('exactly as many as are shown is not cut', async () => {
    const { call } = await room(Array.from({ length: 100 }, (_, n) => `${n}.txt`));
    expect((await call(globTool, { pattern: '*.txt' })).text).toMatch(/\n\(100 of 100\)$/);
  });

  test('as many times are asked for as it takes, not as there are files', async () => {
    const paths = Array.from({ length: 50_000 }, (_, n) => `f${n}`);
    let asked = 0;
    const shown = await newestFirst(paths, 100, async () => {
      asked++;
      return 7;
    });
    expect(shown).toEqual([...paths].sort().slice(0, 100));
    expect(asked).toBeLessThan(50);
  });

  test('links inside are not followed, by Glob as by Grep', async () => {
    const { call, folder } = await room(['real/src/a.ts']);
    mkdirSync(join(folder, 'farm'));
    symlinkSync('../real/src', join(folder, 'farm/src'));
    expect((await call(globTool, { pattern: '**/*.ts', path: 'farm' })).text).toBe(
      '(none; links are not followed, and behind some it matches: farm/src/a.ts)',
    );
    expect((await call(globTool, { pattern: '**/*.ts', path: 'farm/src' })).text).toBe('real/src/a.ts\n(1 of 1)');
  });

  test('a buffer that is no file yet is listed first', async () => {
    const overlay = createOverlayStore(createDiskStore(), { applyEdit: async () => ({ applied: false }) });
    const { call, folder } = await room(['a.ts', 'b.js'], () => ({ store: overlay }));
    overlay.buffers.open(join(folder, 'new/c.ts'), 'x', 1);
    overlay.buffers.open(join(folder, 'a.ts'), 'x', 1);
    expect((await call(globTool, { pattern: '**/*.ts' })).text).toBe('new/c.ts\na.ts\n(2 of 2)');
  });
});

test('a search of the whole machine leaves the windows on the kernel out, and says so', () => {
  expect(fileFilter(kernelGlobs('/')).args).toEqual(['--glob', '!/proc', '--glob', '!/sys', '--glob', '!/dev']);
  expect(kernelNote('/')).toEqual(['/proc, /sys, /dev not searched']);
  expect(kernelGlobs('/home')).toEqual([]);
});
