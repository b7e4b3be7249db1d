import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDiskStore } from '../../src/workspace/disk-store.ts';
import { createEditorConfig, type EditorSettings } from '../../src/workspace/editor-config.ts';
import { affordableSections } from '../../src/workspace/editor-config-sections.ts';
import { indentNote, markedStyle, newFileStyle, styledText } from '../../src/workspace/new-file-style.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'editor-config-')));
});

describe('settings', () => {
  test.each<[string, string, EditorSettings]>([
    ['[*]\nend_of_line = crlf\ncharset = latin1\n', 'a.txt', { endOfLine: 'crlf', charset: 'latin1' }],
    ['[*.{ts,js}]\nindent_style=tab\n', 'src/a.ts', { indentStyle: 'tab' }],
    ['[*.{ts,js}]\nindent_style=tab\n', 'src/a.py', {}],
    ['[src/**.py]\nindent_size = 4\nindent_style = space\n', 'src/deep/a.py', { indentSize: 4, indentStyle: 'space' }],
    ['[file{1..3}.md]\ninsert_final_newline = true\n', 'file2.md', { hasFinalNewline: true }],
    ['[*]\ninsert_final_newline = false\n[*.md]\ninsert_final_newline = unset\n', 'a.md', {}],
    ['no section = here\n[\n', 'a.md', {}],
  ])('%j for %s', async (text, path, settings) => {
    await writeFile(join(root, '.editorconfig'), `root = true\n${text}`);
    expect(await createEditorConfig(createDiskStore()).settingsFor(join(root, path))).toEqual(settings);
  });

  test('nearer files win, root = true ends the search, and a change is seen', async () => {
    await mkdir(join(root, 'in/deep'), { recursive: true });
    await writeFile(join(root, '.editorconfig'), 'root = true\n[*]\nend_of_line = lf\nindent_size = 2\n');
    await writeFile(join(root, 'in/.editorconfig'), '; ours\n[*]\nend_of_line = crlf\n');
    const config = createEditorConfig(createDiskStore());
    const path = join(root, 'in/deep/a.txt');
    expect(await config.settingsFor(path)).toEqual({ endOfLine: 'crlf', indentSize: 2 });
    await writeFile(join(root, 'in/.editorconfig'), '; ours\nroot = true\n[*]\nend_of_line = cr\n');
    expect(await config.settingsFor(path)).toEqual({ endOfLine: 'cr' });
  });

  test('settings that may not be read are none', async () => {
    await writeFile(join(root, '.editorconfig'), '[*]\nend_of_line = crlf\n');
    const confined = createDiskStore({ allows: (path) => path.startsWith(join(root, 'in')) });
    expect(await createEditorConfig(confined).settingsFor(join(root, 'in/a.txt'))).toEqual({});
  });
});

describe('a file that is made to take long', () => {
  const TWO = '[a.txt]\nindent_style = tab\n';

  test.each([
    ['many comments', `${'# '.repeat(60)}x\n`],
    ['a long comment', `${'#'.repeat(200_000)}\n`],
    ['many empty lines', '\n'.repeat(200_000)],
    ['choices of choices', `[{${'{a,b}'.repeat(30)},x}]\nindent_size = 3\n`],
    ['many stars', `[${'*a'.repeat(60)}b]\nindent_size = 3\n`],
    ['stars in choices', `[${'{*a,*b}'.repeat(9)}]\nindent_size = 3\n`],
    ['a long count', '[{1..999999999}]\nindent_size = 3\n'],
    ['many folders', `[${'**/'.repeat(30)}b]\nindent_size = 3\n`],
    ['groups', `[${'+(a|aa)'.repeat(20)}b]\nindent_size = 3\n`],
    ['deep braces', `[${'{'.repeat(50_000)}]\nindent_size = 3\n`],
    ['many sections', `[*.${'a'.repeat(100)}]\nindent_size = 3\n`.repeat(2000)],
    ['sections after other line ends', `\r[${'{a,b}'.repeat(30)}]\u2028[${'{a,b}'.repeat(30)}]\n`],
  ])('%s', async (_what, text) => {
    await writeFile(join(root, '.editorconfig'), `root = true\n${TWO}${text}`);
    const name = `${'a'.repeat(200)}.txt`;
    const config = createEditorConfig(createDiskStore());
    const start = performance.now();
    expect(await config.settingsFor(join(root, name))).toEqual({});
    expect(await config.settingsFor(join(root, 'a.txt'))).toEqual({ indentStyle: 'tab' });
    // Without the limits most of these do not end at all.
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test.each([
    '[*.{js,jsx,ts,tsx,mjs,cjs,json,yml,yaml,md,html,css,scss,less,vue,svelte}]',
    '[{package.json,*.yml,.prettierrc,tsconfig*.json}]',
    '[{*.{ts,js},lib/**.py,Makefile}]',
    '[**/test/**/*.ts]',
    '[*foo*.{ts,js}]',
    '[file{1..300}.ts]',
  ])('%s is affordable', (section) => {
    const text = `root = true\n${section}\nindent_size = 3\n`;
    expect(affordableSections(text)).toBe(text);
  });
});

describe('a new file', () => {
  test.each<[EditorSettings, string, string]>([
    [{}, 'a\nb', 'a\nb'],
    [{ endOfLine: 'crlf' }, 'a\nb\n', 'a\r\nb\r\n'],
    [{ endOfLine: 'crlf' }, 'a\r\nb\n', 'a\r\nb\n'],
    [{ endOfLine: 'cr' }, 'a\nb\n', 'a\rb\r'],
    [{ hasFinalNewline: true }, 'a\nb', 'a\nb\n'],
    [{ hasFinalNewline: true }, 'a\r\nb', 'a\r\nb\r\n'],
    [{ hasFinalNewline: true }, '', ''],
    [{ hasFinalNewline: true, endOfLine: 'crlf' }, 'a\nb', 'a\r\nb\r\n'],
    [{ hasFinalNewline: false }, 'a\nb\n', 'a\nb'],
  ])('with %j, %j is written as %j', (settings, content, written) => {
    expect(styledText(content, newFileStyle(settings))).toBe(written);
  });

  test.each([
    [undefined, 'utf-8', false],
    ['utf-8', 'utf-8', false],
    ['utf-8-bom', 'utf-8', true],
    ['utf-16le', 'utf-16le', true],
    ['latin1', 'iso-8859-1', false],
    ['klingon', 'utf-8', false],
  ])('charset %s is %s', (charset, encoding, hasBom) => {
    expect(newFileStyle(charset === undefined ? {} : { charset }).form).toEqual({ encoding, hasBom });
  });

  test('indentation is the content’s own, and a note tells where it is the other kind', () => {
    expect(indentNote('if x:\n    y\n', newFileStyle({ indentStyle: 'tab' }))).toMatch(
      /asks for tabs here.*with spaces/,
    );
    expect(indentNote('a:\n\tb\n', newFileStyle({ indentStyle: 'space' }))).toMatch(/asks for spaces here.*with tabs/);
    expect(indentNote('a:\n\tb\n', newFileStyle({ indentStyle: 'tab' }))).toBeUndefined();
    expect(indentNote('a\nb\n', newFileStyle({ indentStyle: 'tab' }))).toBeUndefined();
    expect(indentNote('a:\n\tb\n', newFileStyle({}))).toBeUndefined();
  });
});

test('content that begins with a byte order mark asks for one', () => {
  expect(markedStyle(newFileStyle({}), '\ufeffa').form).toEqual({ encoding: 'utf-8', hasBom: true });
  expect(markedStyle(newFileStyle({ charset: 'latin1' }), '\ufeffa').form.hasBom).toBe(false);
  expect(markedStyle(newFileStyle({}), 'a').form.hasBom).toBe(false);
});
