import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { globTool } from '../../src/tools/glob.ts';
import { grepTool } from '../../src/tools/grep.ts';
import { readTool } from '../../src/tools/read.ts';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import { localRun } from '../../src/workspace/local-run.ts';
import { createOverlayStore } from '../../src/workspace/overlay-store.ts';
import type { Run } from '../../src/workspace/run.ts';
import { farOr } from '../support/far.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

async function room(files: Files, options?: Parameters<typeof openToolRoom>[1]): Promise<ToolRoom> {
  const opened = await openToolRoom(files, options);
  onTestFinished(() => opened.close());
  return opened;
}

async function answer(files: Files, args: Record<string, unknown>): Promise<string> {
  const { call } = await room(files);
  const result = await call(grepTool, args);
  expect(result.ok).toBe(true);
  return result.text;
}

describe('Grep finds what was meant', () => {
  test.each<[string, Files, Record<string, unknown>, string]>([
    [
      'content with numbers',
      { 'src/auth.ts': 'a\n    if (t.exp < now) return false;\n' },
      { pattern: 't\\.exp', output_mode: 'content' },
      'src/auth.ts\n2:    if (t.exp < now) return false;\n(1 match in 1 file)',
    ],
    [
      'content without numbers',
      { 'a.ts': 'x\n' },
      { pattern: 'x', output_mode: 'content', '-n': false },
      'a.ts\nx\n(1 match in 1 file)',
    ],
    ['files by default', { 'b.ts': 'x\n', 'a.ts': 'x\nx\n' }, { pattern: 'x' }, 'a.ts\nb.ts\n(2 files)'],
    [
      'lines and occurrences apart in one file',
      { 't.txt': 'Line Line\nLine\n' },
      { pattern: 'Line', path: 't.txt', output_mode: 'count' },
      't.txt:2\n(2 matching lines, 3 matches in 1 file)',
    ],
    [
      'the same numbers for its folder',
      { 't.txt': 'Line Line\nLine\n' },
      { pattern: 'Line', output_mode: 'count' },
      't.txt:2\n(2 matching lines, 3 matches in 1 file)',
    ],
    [
      'a pattern that looks like a flag',
      { 'n.md': 'code -77\n--pdf-engine\n' },
      { pattern: '-77', output_mode: 'content' },
      'n.md\n1:code -77\n(1 match in 1 file)',
    ],
    [
      'another one, with a glob',
      { 'n.md': 'code -77\n--pdf-engine\n', 'n.txt': '--pdf-engine\n' },
      { pattern: '--pdf-engine', glob: '*.md', output_mode: 'content' },
      'n.md\n2:--pdf-engine\n(1 match in 1 file)',
    ],
    [
      'an arrow',
      { 'a.rs': 'fn f() -> Result<(), E> {\n' },
      { pattern: '-> Result<\\(\\), E>', output_mode: 'content' },
      'a.rs\n1:fn f() -> Result<(), E> {\n(1 match in 1 file)',
    ],
    [
      'braces that are no quantifier',
      { 'a.go': 'var x interface{}\n' },
      { pattern: 'interface{}', output_mode: 'content' },
      'a.go\n1:var x interface{}\n(1 match in 1 file)',
    ],
    [
      'look-ahead, by PCRE2',
      { 't.txt': 'foobar\nfoobaz\n' },
      { pattern: 'foo(?!bar)', output_mode: 'content' },
      't.txt\n2:foobaz\n(1 match in 1 file)',
    ],
    [
      'look-behind, by PCRE2',
      { 't.txt': 'foobar\nfoobaz\n' },
      { pattern: '(?<=foo)baz', output_mode: 'content' },
      't.txt\n2:foobaz\n(1 match in 1 file)',
    ],
    [
      'the end of a line that ends in CRLF',
      { 't.txt': 'one;\r\ntwo\r\n' },
      { pattern: ';$', output_mode: 'content' },
      't.txt\n1:one;\n(1 match in 1 file)',
    ],
    [
      'a line end in the pattern, without multiline',
      { 't.txt': 'a\r\nb\r\nc\n' },
      { pattern: 'a\\nb', output_mode: 'content' },
      't.txt\n1:a\n2:b\n(1 match in 1 file)',
    ],
    [
      'a real line end in the pattern',
      { 't.txt': 'a\nb\nc\n', 'u.txt': 'b\n' },
      { pattern: 'a\nb', output_mode: 'content' },
      't.txt\n1:a\n2:b\n(1 match in 1 file)',
    ],
    [
      'over lines, by multiline',
      { 't.txt': 'start\nmid\nend\n' },
      { pattern: 'start.*end', multiline: true, output_mode: 'content' },
      't.txt\n1:start\n2:mid\n3:end\n(1 match in 1 file)',
    ],
    ['upper and lower case, by -i', { 't.txt': 'NEEDLE\n' }, { pattern: 'needle', '-i': true }, 't.txt\n(1 file)'],
    [
      'context lines byte for byte, in a file with dashes and digits',
      { 'a-3-b.cs': 'MATCHX\n/// see https://a.b/c 24: x\na-12-b:3:c\n' },
      { pattern: 'MATCHX', '-C': 2, output_mode: 'content' },
      'a-3-b.cs\n1:MATCHX\n2-/// see https://a.b/c 24: x\n3-a-12-b:3:c\n(1 match in 1 file)',
    ],
    [
      'stretches that lie apart',
      { 't.txt': 'x\nb\nc\nd\ne\nx\n' },
      { pattern: 'x', '-C': 1, output_mode: 'content' },
      't.txt\n1:x\n2-b\n--\n5-e\n6:x\n(2 matches in 1 file)',
    ],
    ['UTF-16', { 'u.txt': Buffer.from('\ufeffa hit\n', 'utf16le') }, { pattern: 'hit' }, 'u.txt\n(1 file)'],
    [
      'bytes that are no text, escaped',
      { 'bad.txt': Buffer.from('hit \xff\xfe\n', 'latin1') },
      { pattern: 'hit', output_mode: 'content' },
      'bad.txt\n1:hit \\xff\\xfe\n(1 match in 1 file)',
    ],
    ['a hidden file, but not in .git', { '.env': 'x\n', '.git/x': 'x\n' }, { pattern: 'x' }, '.env\n(1 file)'],
  ])('%s', async (_what, files, args, expected) => {
    expect(await answer(files, args)).toBe(expected);
  });

  test.each([
    ['a name at any depth', { glob: '*.py' }, ['src/u/x.py', 'tests/t.py']],
    ['a path from the folder', { glob: 'tests/*.py' }, ['tests/t.py']],
    ['a path with any depth', { glob: 'src/**/*.py' }, ['src/u/x.py']],
    ['from the path that was given', { path: 'src', glob: 'u/*.py' }, ['src/u/x.py']],
    ['braces', { glob: '*.{ts,tsx}' }, ['a.ts', 'b.tsx']],
    ['braces inside braces', { glob: '*.{ts,{py,tsx}}' }, ['a.ts', 'b.tsx', 'src/u/x.py', 'tests/t.py']],
    ['commas', { glob: '*.ts,*.tsx' }, ['a.ts', 'b.tsx']],
    ['commas and blanks', { glob: '*.ts, *.tsx' }, ['a.ts', 'b.tsx']],
    ['what is not wanted', { glob: '!*.py' }, ['a.ts', 'b.tsx', 'c.js']],
    ['./', { glob: './src/**' }, ['src/u/x.py']],
    ['a trailing slash', { glob: 'src/' }, ['src/u/x.py']],
    ['a folder by its name', { glob: 'src' }, ['src/u/x.py']],
    ['quotes inside the text', { glob: '"*.py"' }, ['src/u/x.py', 'tests/t.py']],
    ['bars', { glob: '*.ts|*.tsx' }, ['a.ts', 'b.tsx']],
    ['semicolons', { glob: '*.ts;*.tsx' }, ['a.ts', 'b.tsx']],
    ['a group', { glob: '(a|b).{ts,tsx}' }, ['a.ts', 'b.tsx']],
    ['a type', { type: 'py' }, ['src/u/x.py', 'tests/t.py']],
    ['a type that is an extension', { type: 'tsx' }, ['b.tsx']],
    ['a type and a glob', { type: 'py', glob: 'src/**' }, ['src/u/x.py']],
    ['no type', { type: '', glob: '*.js' }, ['c.js']],
    ['a blank type', { type: ' ' }, ['a.ts', 'b.tsx', 'c.js', 'src/u/x.py', 'tests/t.py']],
    ['several types', { type: 'py,js' }, ['c.js', 'src/u/x.py', 'tests/t.py']],
    ['several types, of which one is an extension', { type: 'js, tsx' }, ['b.tsx', 'c.js']],
    ['a type that is a glob', { type: '*.py' }, ['src/u/x.py', 'tests/t.py']],
    ['a type with its dot', { type: '.tsx' }, ['b.tsx']],
    ['an extension for a type, and a glob', { type: 'tsx', glob: 'b*' }, ['b.tsx']],
  ])('a filter: %s', async (_what, args, expected) => {
    const files = { 'a.ts': 'x\n', 'b.tsx': 'x\n', 'c.js': 'x\n', 'tests/t.py': 'x\n', 'src/u/x.py': 'x\n' };
    expect((await answer(files, { pattern: 'x', ...args })).split('\n').slice(0, -1)).toEqual(expected);
  });

  test.each([
    ['all in a folder', '[id]/*', ['[id]/p.tsx']],
    ['a folder', '[id]', ['[id]/p.tsx']],
    ['a folder with a slash', '[id]/', ['[id]/p.tsx']],
    ['a folder at any depth', '**/[id]/*.tsx', ['[id]/p.tsx', 'app/[id]/p.tsx', 'app/i/p.tsx']],
    ['a file', '[slug].tsx', ['app/[slug].tsx']],
    ['none of a folder', '![id]/**', ['app/[id]/p.tsx', 'app/[slug].tsx', 'app/i/p.tsx']],
    ['letters to choose from', 'app/[i]/*', ['app/i/p.tsx']],
  ])('a filter with brackets in a name: %s', async (_what, glob, expected) => {
    const files = { '[id]/p.tsx': 'x\n', 'app/[id]/p.tsx': 'x\n', 'app/i/p.tsx': 'x\n', 'app/[slug].tsx': 'x\n' };
    expect((await answer(files, { pattern: 'x', glob })).split('\n').slice(0, -1)).toEqual(expected);
  });

  test.each([
    ['a path for a type', { type: `a/${'x'.repeat(100_000)}` }, /^Error invalid_arguments: type a\/x+… \[line cut/],
    ['a glob that selects nothing', { glob: `${'x'.repeat(3000)}` }, /^\(none: glob x+… \[line cut: /],
    ['a glob of one endless name', { glob: 'x'.repeat(100_000) }, /^Error invalid_arguments: glob "x+… \[line cut: /],
    ['a glob that is read otherwise', { glob: `!${'x'.repeat(3000)}` }, /^a\.txt\n/],
    ['a type that selects nothing', { type: 'x'.repeat(3000) }, /^\(none: type x+… \[line cut: /],
    ['a glob outside', { glob: `../${'x'.repeat(3000)}` }, /^Error invalid_arguments: glob \.\.\/x+… \[line cut: /],
  ])('what has no end is not told back whole: %s', async (_what, args, start) => {
    const { call } = await room({ 'a.txt': 'x\n' });
    const { text } = await call(grepTool, { pattern: 'x', ...args });
    expect(text).toMatch(start);
    expect(text.length).toBeLessThan(1000);
  });

  test('types that ripgrep does not know are taken for extensions, fifty at most', async () => {
    const { call } = await room({ 'a.zz49': 'x\n', 'b.txt': 'x\n' });
    const types = (many: number): string => Array.from({ length: many }, (_, at) => `zz${at}`).join(',');
    expect((await call(grepTool, { pattern: 'x', type: types(50) })).text).toBe('a.zz49\n(1 file)');
    expect((await call(grepTool, { pattern: 'x', type: types(2000) })).text).toBe(
      'Error invalid_arguments: type has 2,000 types. Give at most 50, or a glob such as *.{ts,js}.',
    );
  });

  test.each([
    ['a NUL in the pattern', { pattern: 'a\0b' }, 'the pattern has a NUL character'],
    ['a NUL in the glob', { pattern: 'x', glob: 'a\0b' }, 'has a NUL character'],
    ['a path for a type', { pattern: 'x', type: 'src/*.ts' }, 'type src/*.ts is a path'],
    [
      'an extended glob',
      { pattern: 'x', glob: '!(a|b).ts' },
      'Write **/*, !{a,b}; a glob that begins with ! leaves out',
    ],
  ])('%s is refused with the right form', async (_what, args, words) => {
    const { call } = await room({ 'a.ts': 'x\n' });
    const result = await call(grepTool, args);
    expect(result).toMatchObject({ ok: false, receipt: { code: 'invalid_arguments' } });
    expect(result.text).toContain(words);
  });

  test('a filter that is absolute is taken from the folder, one from elsewhere is refused', async () => {
    const { call, folder } = await room({ 'src/a.ts': 'x\n', 'b.ts': 'x\n' });
    expect((await call(grepTool, { pattern: 'x', glob: `${folder}/src/*.ts` })).text).toBe('src/a.ts\n(1 file)');
    const outside = await call(grepTool, { pattern: 'x', glob: '/elsewhere/*.ts' });
    expect(outside).toMatchObject({ ok: false, receipt: { code: 'invalid_arguments' } });
  });
});

describe('Grep says what its answer is worth', () => {
  test.each<[string, Files, Record<string, unknown>, string]>([
    ['nothing, and where', { 'a.ts': 'a\n', 'b.ts': 'b\n' }, { pattern: 'zz' }, '(none in 2 files)'],
    ['nothing in one file', { 'out.yaml': 'checksum\n' }, { pattern: 'zz', path: 'out.yaml' }, '(none in out.yaml)'],
    [
      'a filter that selects nothing',
      { 'crates/a.rs': 'fn\n' },
      { pattern: 'fn', glob: 'src/**/*.rs' },
      '(none: glob src/**/*.rs selects no file)',
    ],
    [
      'ignored files that match',
      { '.gitignore': 'dist/\n', 'dist/o.js': 'bundle\n', '.git/x': 'bundle\n' },
      { pattern: 'bundle' },
      '(none in 1 file; 1 ignored file matches)',
    ],
    [
      'binary files that match',
      { 'a.bin': 'x\0\nneedle\n' },
      { pattern: 'needle' },
      '(none in 1 file; 1 binary file matches)',
    ],
    ['past the last one', { 'a.ts': 'x\n' }, { pattern: 'x', offset: 5 }, '(none after offset 5: 1 in all)'],
  ])('%s', async (_what, files, args, expected) => {
    expect(await answer(files, args)).toBe(expected);
  });

  test('ignored files are in with no_ignore, .git never', async () => {
    const files = { '.gitignore': 'dist/\n', 'dist/o.js': 'bundle\n', '.git/x': 'bundle\n' };
    expect(await answer(files, { pattern: 'bundle', no_ignore: true })).toBe('dist/o.js\n(1 file)');
  });

  test.each([
    ['in a repository', { '.git/HEAD': 'ref: refs/heads/main\n' }],
    ['without one', {}],
  ])('an ignore file in a folder below holds %s', async (_where, more) => {
    const files = { 'sub/.gitignore': 'out/\n', 'sub/out/x.py': 'needle\n', 'sub/y.py': 'needle\n', ...more };
    expect(await answer(files, { pattern: 'needle' })).toBe('sub/y.py\n(1 file; 1 ignored file matches)');
  });

  test('an ignored folder that is named is searched', async () => {
    const files = { '.gitignore': 'dist/\n', 'dist/o.js': 'bundle\n' };
    expect(await answer(files, { pattern: 'bundle', path: 'dist' })).toBe('dist/o.js\n(1 file)');
  });

  test.each([
    ['in a repository', { '.git/HEAD': 'ref: refs/heads/main\n' }],
    ['outside of one', {}],
  ])('ignore files of folders hold %s, also against a glob', async (_where, more) => {
    const files = {
      'sub/.gitignore': 'out/\n*.gen.py\n',
      'sub/out/x.py': 'needle\n',
      'sub/a.gen.py': 'needle\n',
      'sub/y.py': 'needle\n',
    };
    for (const glob of [undefined, '*.py', 'sub/**/*.py']) {
      const { call } = await room({ ...files, ...more });
      const { text } = await call(grepTool, { pattern: 'needle', ...(glob && { glob }) });
      expect(text.split('\n')[0]).toBe('sub/y.py');
      expect(text).toContain('(1 file; 2 ignored files match)');
    }
  });

  test.each([
    ['unclosed', 'foo(', 'unclosed group', 'foo\\('],
    ['nothing to repeat', '*abc', 'repetition operator missing expression', '\\*abc'],
    ['look-around that is broken', '(?<=x', 'missing closing parenthesis', '\\(\\?<=x'],
    ['nothing', '', 'the pattern is empty', ''],
  ])(
    'a pattern that is none (%s) is an error with the reason and the plain form',
    async (_what, pattern, why, plain) => {
      const { call } = await room({ 'a.txt': 'foo(\n' });
      const result = await call(grepTool, { pattern });
      expect(result).toMatchObject({ ok: false, receipt: { code: 'invalid_arguments' } });
      expect(result.text).toContain(why);
      expect(result.text).toContain(plain);
    },
  );

  test('a glob that is none is an error', async () => {
    const { call } = await room({ 'a.txt': 'x\n' });
    expect(await call(grepTool, { pattern: 'x', glob: '[' })).toMatchObject({ ok: false });
  });

  test('a path that is not there is an error that proposes one', async () => {
    const { call } = await room({ 'out.yaml': 'x\n' });
    const result = await call(grepTool, { pattern: 'x', path: 'out.yml' });
    expect(result.text).toBe('Error not_found: out.yml. Did you mean out.yaml?');
  });

  test('a limit that is just reached is no cut; one more is, with the total and the next offset', async () => {
    const files: Record<string, string> = { 'a.txt': 'hello\n', 'b.txt': 'hello\n', 'c.txt': 'hello\n' };
    const { call, write } = await room(files);
    const whole = await call(grepTool, { pattern: 'hello', head_limit: 3 });
    expect(whole).toMatchObject({ text: 'a.txt\nb.txt\nc.txt\n(3 files)', receipt: { complete: true } });
    await write({ 'd.txt': 'hello\n', 'e.txt': 'hello\n' });
    const cut = await call(grepTool, { pattern: 'hello', head_limit: 3 });
    expect(cut.text).toBe('a.txt\nb.txt\nc.txt\n(3 of 5 files; offset 3)');
    expect(cut.receipt).toMatchObject({ complete: false, why: 'limit', total: 5, next_offset: 3 });
  });

  test('of very many a few are shown, with the totals', async () => {
    const files = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}.txt`, 'x\n'.repeat(5)]));
    const text = await answer(files, { pattern: 'x', output_mode: 'content', head_limit: 10 });
    expect(text).toMatch(/\n\(10 of 1,000 matches in 200 files; offset 10\)$/);
  });

  test('where the rest was not counted there is more, and no total', async () => {
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`d${n % 50}/f${n}.txt`, 'x\n']));
    const { root } = await room(files);
    const session = createSession({ ...root, looks: { countMs: 0, passedOverMs: 0, changedMs: 0 } }, 'hasty');
    const call = { name: 'Grep', args: { pattern: 'x', head_limit: 1 } };
    const { text, receipt } = await callTool([grepTool], call, { session });
    expect(text).toMatch(/^d0\/f0\.txt\n\(1(, more| of 3,000 files); offset 1\)$/);
    expect(receipt).toMatchObject({ complete: false, next_offset: 1 });
    const none = await callTool([grepTool], { name: 'Grep', args: { pattern: 'zz' } }, { session });
    // Behind an executor each look has the time that its command takes to start.
    const notes = [
      '; files are read as UTF-8, or UTF-16 with its mark, and as nothing else',
      '; ignored files not looked into',
    ];
    const [encodings, ignored] = notes;
    const said = [notes.join(''), ...farOr([encodings, ignored, ''], [])].map((note) => `(none in 3,000 files${note})`);
    expect(said).toContain(none.text);
  });

  test('other calls are answered while a search runs', async () => {
    const { call, folder } = await room({ 'a.txt': 'a\n' });
    execFileSync('truncate', ['-s', '3G', join(folder, 'large.txt')]);
    const abort = new AbortController();
    let isOver = false;
    const search = call(grepTool, { pattern: 'a', path: 'large.txt', multiline: true }, { signal: abort.signal });
    void search.finally(() => {
      isOver = true;
    });
    expect((await call(readTool, { file_path: 'a.txt' })).text).toBe('1→a');
    expect(isOver).toBe(false);
    abort.abort();
    expect((await search).receipt.code).toBe('cancelled');
  });

  test('pages join without gaps or repeats', async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n % 7}/f${n}.txt`, 'x\nx\n'.repeat(3)]));
    const { call } = await room(files);
    for (const output_mode of ['content', 'files_with_matches']) {
      const whole = await call(grepTool, { pattern: 'x', output_mode, head_limit: 0 });
      const pages: string[] = [];
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const page = await call(grepTool, { pattern: 'x', output_mode, head_limit: 23, offset });
        let path = '';
        for (const line of page.text.split('\n').slice(0, -1)) {
          if (line.startsWith('d')) path = line;
          if (line !== '' && (output_mode !== 'content' || !line.startsWith('d'))) pages.push(`${path} ${line}`);
        }
        offset = page.receipt.next_offset;
      }
      expect(new Set(pages).size).toBe(pages.length);
      expect(pages).toHaveLength(output_mode === 'content' ? 240 : 40);
      expect(whole.receipt.total).toBe(pages.length);
    }
  });

  test.each([
    ['after it', { pattern: '^1000 ', '-A': 900 }, /^many\.txt\n1001:1000 a+\n1002-1001 /],
    ['before it', { pattern: '^1000 ', '-B': 900 }, /\n1000-999 a+\n1001:1000 a+\n\(/],
    ['of one match', { pattern: '(?s)^1000 .*', multiline: true }, /^many\.txt\n1001:1000 a+\n1002:1001 /],
    ['of many matches', { pattern: '00 ', '-C': 40 }, /; offset \d+/],
    ['that name long paths', { pattern: 'needle' }, /\(\d+ of 300 matches in 300 files; offset \d+/],
  ])('lines %s are bounded, and what is left out is said', async (_what, args, expected) => {
    const long = 'x'.repeat(200);
    const deep = Array.from({ length: 300 }, (_, n) => [`${long}/${'y'.repeat(200)}/${n}.txt`, 'needle\n'] as const);
    const many = Array.from({ length: 2000 }, (_, n) => `${n} ${'a'.repeat(300)}\n`).join('');
    const { call } = await room({ 'many.txt': many, ...Object.fromEntries(deep) });
    const { text, receipt } = await call(grepTool, { output_mode: 'content', ...args });
    expect(Buffer.byteLength(text)).toBeLessThan(56 * 1024);
    expect(`${text.slice(0, 1000)}…${text.slice(-1000)}`).toMatch(expected);
    expect(text.slice(-300)).toMatch(/left out: Read shows them|; offset \d+/);
    expect(receipt).toMatchObject({ complete: false, why: 'limit' });
  });

  test('the order is by path, then line, every time', async () => {
    const files = { 'a/z.txt': 'x\n', 'a-b.txt': 'x\n', 'a.txt': 'x\n', 'b.txt': 'x\n' };
    const { call } = await room(files);
    const answers = [];
    for (let times = 0; times < 5; times++) answers.push((await call(grepTool, { pattern: 'x' })).text);
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toBe('a/z.txt\na-b.txt\na.txt\nb.txt\n(4 files)');
  });

  test('a search that a NUL byte stopped says where', async () => {
    const late = `TOKEN first\n${'x\n'.repeat(200_000)}\0\nTOKEN last\n`;
    const text = await answer({ 'late.log': late, 'b.txt': 'y\n' }, { pattern: 'TOKEN', output_mode: 'content' });
    expect(text).toContain('late.log\n1:TOKEN first\n');
    expect(text).toMatch(/incomplete: late\.log searched only to a NUL byte at 390\.6 KB/);
  });

  test('a long line is cut around its match, with the column', async () => {
    const files = { 'm.js': `${'a'.repeat(90_000)}NEEDLE${'b'.repeat(90_000)}` };
    const text = await answer(files, { pattern: 'NEEDLE', '-C': 2, output_mode: 'content' });
    expect(text.length).toBeLessThan(500);
    expect(text).toMatch(/^m\.js\n1:…a+NEEDLEb+… \[column 90,001 of 180,006\]\n\(1 match in 1 file\)$/);
  });

  test('cut lines and cut lists are told apart', async () => {
    const bundle = 'x'.repeat(1000).concat('stats ').repeat(300);
    const text = await answer(
      { 'three.min.js': bundle, 'app.js': 'stats\n' },
      { pattern: 'stats', output_mode: 'content' },
    );
    expect(text).toContain('app.js\n1:stats\n');
    expect(text).toMatch(/\[column 1,001 of 301,800\]\n\(2 matching lines, 301 matches in 2 files\)$/);
  });

  test('of a line too long to hold the stretch around the match is read from the file', async () => {
    const files = { 'huge.json': `${'é'.repeat(1_500_000)}NEEDLE${'b'.repeat(100_000)}\nnext\n` };
    const text = await answer(files, { pattern: 'NEEDLE', '-A': 1, output_mode: 'content' });
    expect(text).toMatch(/^huge\.json\n1:…é+NEEDLEb+… \[byte 3,000,001 of 3\.0 MB\]\n2-next\n\(1 match in 1 file\)$/);
  });

  test('a link that is named is followed, links inside are not, and a broken one is no error', async () => {
    const { call, folder } = await room({ 'real/src/a.ts': 'pat\n', 's/a.txt': 'hit\n' });
    mkdirSync(join(folder, 'farm'));
    symlinkSync('../real/src', join(folder, 'farm/src'));
    symlinkSync('nowhere', join(folder, 's/broken'));
    symlinkSync('../s', join(folder, 's/loop'));
    expect((await call(grepTool, { pattern: 'pat', path: 'farm/src' })).text).toBe('real/src/a.ts\n(1 file)');
    expect((await call(grepTool, { pattern: 'pat', path: 'farm' })).text).toBe('(none: no file to search)');
    expect((await call(grepTool, { pattern: 'hit', path: 's' })).text).toBe('s/a.txt\n(1 file)');
  });

  test('a name that is not UTF-8 is shown escaped, and its file is found', async () => {
    const { call, folder } = await room({ 'ok.txt': 'hit\n' });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/n`), Buffer.from([0xff]), Buffer.from('.txt')]), 'hit');
    expect((await call(grepTool, { pattern: 'hit' })).text).toBe('n\\xff.txt\nok.txt\n(2 files)');
  });
});

test('a name with control characters is shown on one line', async () => {
  const files = { 'new\nline.txt': 'hit\n', 'e\u001b[2J.txt': 'hit\n', 'r\u202el.txt': 'hit\n' };
  expect(await answer(files, { pattern: 'hit' })).toBe('e\\x1b[2J.txt\nnew\\nline.txt\nr\\u202el.txt\n(3 files)');
  expect(await answer(files, { pattern: 'hit', glob: 'new\\nline.txt' })).toBe('new\\nline.txt\n(1 file)');
});

describe('Grep sees unsaved text', () => {
  test('a buffer is searched in the place of its file, in the order of paths', async () => {
    const overlay = createOverlayStore(createDiskStore(), { applyEdit: async () => ({ applied: false }) });
    const files = {
      'a.ts': 'needle\n',
      'b.ts': 'old needle\n',
      'c.ts': 'nothing\n',
      'd.ts': 'needle\n',
      '.gitignore': 'gen/\n',
    };
    const { call, folder } = await room(files, () => ({ store: overlay }));
    overlay.buffers.open(join(folder, 'b.ts'), 'changed\n', 1);
    overlay.buffers.open(join(folder, 'c.ts'), 'x\nnew needle\n', 1);
    overlay.buffers.open(join(folder, 'new/e.ts'), 'needle\n', 1);
    overlay.buffers.open(join(folder, 'gen/f.ts'), 'needle\n', 1);
    expect((await call(grepTool, { pattern: 'needle', output_mode: 'content' })).text).toBe(
      'a.ts\n1:needle\n\nc.ts\n2:new needle\n\nd.ts\n1:needle\n\nnew/e.ts\n1:needle\n(4 matches in 4 files)',
    );
    expect((await call(grepTool, { pattern: 'needle', glob: 'new/**' })).text).toContain('new/e.ts\n(1 file');
    expect((await call(grepTool, { pattern: 'needle', path: 'b.ts' })).text).toBe('(none in b.ts)');
    expect((await call(grepTool, { pattern: 'changed', path: 'b.ts' })).text).toBe('b.ts\n(1 file)');
  });
});

describe('Grep where not all can be read', () => {
  /** Root reads everything, so commands run as a user who does not. */
  const asPlainUser: Run = (argv, options) =>
    process.getuid?.() === 0
      ? localRun(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...argv], options)
      : localRun(argv, options);

  test('an unreadable path makes the answer incomplete, not an error', async () => {
    const { call, folder } = await room({ 'ok.txt': 'hit\n', 'no.txt': 'hit\n', 'sub/x.txt': 'hit\n' }, () => ({
      run: asPlainUser,
    }));
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'no.txt'), 0);
    chmodSync(join(folder, 'sub'), 0);
    const result = await call(grepTool, { pattern: 'hit' });
    expect(result.text).toBe('ok.txt\n(1 file; incomplete: 2 paths unreadable: no.txt, sub)');
    expect(result.receipt).toMatchObject({ complete: false, why: 'unreadable' });
    const nothing = await call(grepTool, { pattern: 'zzz' });
    expect(nothing.text).toBe('(none in 1 file; incomplete: 2 paths unreadable: no.txt, sub)');
  });

  test('a folder that may not be entered or listed is no empty one', async () => {
    const { call, folder } = await room({ 'shut/a.txt': 'hit\n', 'listless/a.txt': 'hit\n' }, () => ({
      run: asPlainUser,
    }));
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'shut'), 0);
    chmodSync(join(folder, 'listless'), 0o711);
    const unreadable = '1 path unreadable: listless';
    expect((await call(grepTool, { pattern: 'hit', path: 'listless' })).text).toContain(unreadable);
    // The list of what is wanted may not be read by that user either.
    expect((await call(globTool, { pattern: 'listless/*' })).text).toMatch(/^\(none; incomplete: .* listless\)$/);
    for (const result of [
      await call(grepTool, { pattern: 'hit', path: 'shut' }),
      await call(globTool, { pattern: 'shut/**' }),
    ]) {
      expect(result.text).not.toMatch(/^\(none[^;]*\)$/);
      expect(result.receipt).not.toMatchObject({ complete: true });
    }
  });
});

test('a pattern that takes too long on one file does not hide the others', async () => {
  const { call } = await room({ 'a.txt': `${'a'.repeat(40)}b\n`, 'b.txt': 'aaa\n' });
  const { ok, text, receipt } = await call(grepTool, { pattern: '(?=a)(a+)+$' });
  expect(ok).toBe(true);
  expect(text).toBe('b.txt\n(1 file; incomplete: a.txt: PCRE2: error matching: match limit exceeded)');
  expect(receipt).toMatchObject({ complete: false, why: 'error' });
  expect(await call(grepTool, { pattern: '(?=a)(a+)+$', path: 'a.txt' })).toMatchObject({ receipt: { code: 'io' } });
});

describe('Grep says what kept it from finding', () => {
  test('what an ignore file takes in again is searched only where the glob takes it', async () => {
    const files = {
      '.gitignore': '*.log\n',
      'sub/.gitignore': '!keep.log\n',
      'sub/keep.log': 'hit\n',
      'x/a.ts': 'hit\n',
    };
    const { call } = await room(files);
    expect((await call(grepTool, { pattern: 'hit', glob: 'x/**' })).text).toBe('x/a.ts\n(1 file)');
    expect((await call(grepTool, { pattern: 'hit', glob: 'y/*.ts' })).text).toBe('(none: glob y/*.ts selects no file)');
    expect((await call(grepTool, { pattern: 'zzz', glob: 'x/*' })).text).toBe('(none in 1 file)');
  });

  test.each([
    ['an escaped bar', 'hit\\|miss', '\\| is the character |; for either of two write a|b'],
    ['slashes', '/hit/', 'the / around the pattern were searched for too'],
    ['quotes', '"hit"', 'the quotes around the pattern were searched for too'],
    ['letters beyond ASCII', 'é', 'files are read as UTF-8, UTF-16 or Latin-1, and as nothing else'],
  ])('%s', async (_what, pattern, hint) => {
    const { call } = await room({ 'a.txt': 'hit\n' });
    expect((await call(grepTool, { pattern })).text).toBe(`(none in 1 file; ${hint})`);
  });

  test.each([
    ['a character of several bytes', '?1.txt', ['a1.txt', 'é1.txt']],
    ['this folder alone', './*.txt', ['a1.txt', 'é1.txt']],
    ['a folder with braces in its name', '{x}/*', ['{x}/b.txt']],
    ['a name with blanks around it', ' c ', [' c ']],
  ])('its glob takes %s', async (_what, glob, paths) => {
    const files = { 'a1.txt': 'hit\n', 'é1.txt': 'hit\n', '{x}/b.txt': 'hit\n', ' c ': 'hit\n' };
    const { call } = await room(files);
    const { text } = await call(grepTool, { pattern: 'hit', glob });
    expect(text.split('\n').slice(0, -1).sort()).toEqual([...paths].sort());
  });

  test.each([
    ['a call', 'foo(bar)', 'as plain text it matches in 1 file: foo\\(bar\\)'],
    ['a variable of a shell', '$1', 'as plain text it matches in 1 file: \\$1'],
    ['a path of Windows', 'C:\\dir', 'as plain text it matches in 1 file: C:\\\\dir'],
    ['an index', 'x[0]', 'as plain text it matches in 1 file: x\\[0\\]'],
    ['blanks that are a line end', 'if \\(\\s*ready', 'with multiline it matches in 1 file'],
    ['all but a bracket, over a line end', 'if \\([^)]*ready', 'with multiline it matches in 1 file'],
  ])('what was meant otherwise is there: %s', async (_what, pattern, hint) => {
    const { call } = await room({ 'a.ts': 'foo(bar) $1 C:\\dir y = x[0]\nif (\n  ready)\n' });
    expect((await call(grepTool, { pattern })).text).toBe(`(none in 1 file; ${hint})`);
  });

  test('of what was meant otherwise it is told where there may be more files than were counted', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}.ts`, 'foo(bar)\n']));
    expect(await answer(files, { pattern: 'foo(bar)' })).toBe(
      '(none in 60 files; as plain text it matches in 50 files or more: foo\\(bar\\))',
    );
  });

  test('a dot that is told to take line ends does', async () => {
    const { call } = await room({ 'a.ts': 'one\ntwo\n' });
    expect((await call(grepTool, { pattern: '(?s)one.two' })).text).toBe('a.ts\n(1 file)');
    expect((await call(grepTool, { pattern: '(?is:ONE.two)' })).text).toBe('a.ts\n(1 file)');
    expect((await call(grepTool, { pattern: 'one.two' })).text).toBe('(none in 1 file)');
  });

  test('a pattern of any length is told back in short', async () => {
    const { call } = await room({ 'a.ts': 'one\n' });
    const wrong = await call(grepTool, { pattern: `(${'x('.repeat(20_000)}` });
    expect(wrong.text.length).toBeLessThan(1500);
    const none = await call(grepTool, { pattern: `(${'x.'.repeat(2_000)})` });
    expect(none.text).toBe('(none in 1 file)');
    expect((await call(globTool, { pattern: `{${'a,'.repeat(2000)}b}` })).text).toBe('(none)');
    const long = await call(globTool, { pattern: `{${'a,'.repeat(5000)}b}` });
    expect(long.text).toMatch(/has 10003 characters\. Give at most 4096, or several patterns\.$/);
    expect(long.text.length).toBeLessThan(1500);
    expect((await call(globTool, { pattern: `[${'a'.repeat(5000)}` })).text.length).toBeLessThan(1500);
  });

  test('a glob that begins with a slash is often meant from the root of the project', async () => {
    const { call } = await room({ 'src/a.ts': 'one\n' });
    const { ok, text } = await call(grepTool, { pattern: 'one', glob: '/src/**/*.ts' });
    expect(ok).toBe(false);
    expect(text).toMatch(/ Did you mean src\/\*\*\/\*\.ts\?$/);
  });

  test.each<[string, Files, Record<string, unknown>, string]>([
    ['Latin-1', { 'l.txt': Buffer.from('caf\xe9\n', 'latin1') }, { pattern: 'café' }, 'l.txt (windows-1252)'],
    [
      'Latin-1, by a dot',
      { 'l.txt': Buffer.from('caf\xe9 x\n', 'latin1') },
      { pattern: 'caf. x' },
      'l.txt (windows-1252)',
    ],
    ['UTF-16 without its mark', { 'w.txt': Buffer.from('wide\n', 'utf16le') }, { pattern: 'wide' }, 'w.txt (utf-16le)'],
    [
      'UTF-16 without its mark, the high end first',
      { 'w.txt': Buffer.from('wide\n', 'utf16le').swap16() },
      { pattern: 'wide' },
      'w.txt (utf-16be)',
    ],
    [
      'a file that is named',
      { 'w.txt': Buffer.from('wide\n', 'utf16le') },
      { pattern: 'wide', path: 'w.txt' },
      'w.txt (utf-16le)',
    ],
  ])('of a file in %s it is said that it matches', async (_what, files, args, named) => {
    const { call } = await room({ 'a.txt': 'hit, ü\n', ...files });
    const { text, receipt } = await call(grepTool, args);
    expect(text).toMatch(/^\(none in /);
    expect(text).toContain(`; matches when read in another encoding: ${named})`);
    expect(receipt).toMatchObject({ complete: false, why: 'encoding' });
  });

  test.each([
    ['no ASCII at all', '[^\\x00-\\x7f]{9}'],
    ['what UTF-8 looks like as Latin-1', 'Ã¼'],
    ['any letter of Han', '\\p{Han}'],
  ])('a text that only looks so in another encoding is not named: %s', async (_what, pattern) => {
    const files = {
      'a.txt': 'hit, ü, and more\n',
      'b.bin': Buffer.from(Array.from({ length: 400 }, (_, n) => (n * 7) % 256)),
    };
    const { call } = await room(files);
    expect((await call(grepTool, { pattern })).text).toMatch(/^\(none in \d files(?!.*matches when)/);
  });

  test('a file that is named is searched to its end, whatever NUL bytes it has', async () => {
    const { call } = await room({ 'a.bin': 'hit 1\0hit\nx\nhit 2\n' });
    const { text, receipt } = await call(grepTool, { pattern: 'hit', path: 'a.bin', output_mode: 'content' });
    expect(text).toBe('a.bin\n1:hit 1\\0hit\n3:hit 2\n(2 matching lines, 3 matches in 1 file)');
    expect(receipt.complete).toBe(true);
  });

  test('a match over several lines counts as so many lines', async () => {
    const { call } = await room({ 'a.txt': 'b\n1\ne\nb\n2\ne\n' });
    const { text } = await call(grepTool, { pattern: 'b.*?e', multiline: true, output_mode: 'count' });
    expect(text).toBe('a.txt:6\n(6 matching lines, 2 matches in 1 file)');
  });

  test('how long a very long line is does not count what JSON adds to it', async () => {
    const { call } = await room({ 'a.js': `${'"\\'.repeat(700_000)}\n` });
    const { text } = await call(grepTool, { pattern: '"', output_mode: 'content' });
    expect(text).toContain('[byte 1 of 1.3 MB]');
  });
});
