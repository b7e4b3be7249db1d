import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lspRefactorTool } from '../../../src/tools/navigation/lsp.ts';
import { callLoaded, openNavRoom } from '../../support/nav-projects.ts';
import type { ToolRoom } from '../../support/tool-room.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/box.ts':
    'export class Box<T> {\r\n\tconstructor(readonly value: T) {}\r\n\tmap<U>(f: (v: T) => U): Box<U> { return new Box(f(this.value)); }\r\n\t#secret = 1;\r\n\tget size(): number { return this.#secret; }\r\n}\r\n',
  'src/emoji.ts': 'const s = "😀😀"; export const größe = s.length; /* 😀 */ größe.toFixed();\n',
  'src/taken.ts': 'export const first = 1;\nexport const second = 2;\nconsole.log(first, second);\n',
  'src/lib.ts': 'export const m = new Map<string, number>();\nm.set("a", 1);\n',
  'src/inner.ts': 'export function outer(first: number) {\n  const second = 2;\n  return first + second;\n}\n',
  'src/empty.ts': '',
  'bin.ts': 'a\0b',
  'notes.txt': 'handle\n',
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`src/m${n}.ts`, `export function handle() { return ${n}; }\n`]),
  ),
};

let room: ToolRoom;
beforeAll(async () => {
  room = await openNavRoom('TypeScript 7', FILES);
  await callLoaded(room, lspRefactorTool, { operation: 'findReferences', symbol: 'src/shapes.ts#measure' });
}, 120_000);
afterAll(() => room?.close());

const at = (filePath: string, line?: number, character?: number) => ({ filePath, line, character });
const D = 'goToDefinition';

// What is asked, and how the answer begins. Nothing of it may change a file.
test.each([
  [{ operation: D, ...at('src/box.ts', 99) }, 'Error invalid_arguments: src/box.ts has 7 lines, not 99.'],
  [{ operation: D, ...at('src/box.ts', 0) }, 'Error invalid_arguments: line 0: lines are counted from 1.'],
  [{ operation: D, ...at('src/box.ts', 3, 999) }, 'note: taken for value at 3:57, not 3:999\nsrc/box.ts\n2:23'],
  [{ operation: D, ...at('src/box.ts', 3, 0) }, 'note: taken for map at 3:2, not 3:1\nsrc/box.ts\n3:2'],
  [{ operation: D, ...at('src/emoji.ts', 1, 60) }, 'src/emoji.ts\n1:32'],
  [{ operation: D, ...at('src/box.ts', 7) }, 'Error not_found: L7 of src/box.ts has no symbol; it is blank'],
  [{ operation: 'documentSymbol', ...at('src/empty.ts') }, 'src/empty.ts\n(0 symbols)'],
  [{ operation: 'documentSymbol', ...at('src') }, 'Error is_directory: src is a folder.'],
  [{ operation: D, symbol: 'Box.map' }, 'src/box.ts\n3:2'],
  [{ operation: D, symbol: 'Box<string>/map<number>' }, 'src/box.ts\n3:2'],
  [{ operation: D, symbol: 'src/box.ts#Box.#secret' }, 'src/box.ts\n4:2'],
  [{ operation: D, symbol: 'src/box.ts#Box/nothing' }, 'Error not_found: src/box.ts has no Box/nothing.'],
  [{ operation: D, symbol: 'src/use.ts#Box' }, 'Error not_found: src/use.ts has no Box.'],
  [{ operation: D, symbol: 'box.ts#Box' }, 'Error not_found: box.ts. Did you mean src/box.ts?'],
  [{ operation: D, symbol: '../out.ts#x' }, 'Error denied: ../out.ts leads to'],
  [{ operation: D, ...at('/etc/passwd', 1) }, 'Error denied: /etc/passwd is outside the root'],
  [{ operation: D, symbol: 'handle' }, 'Error ambiguous: 20 symbols are handle: src/m0.ts:1, '],
  [{ operation: 'rename', symbol: 'handle', newName: 'grip' }, 'Error ambiguous: 20 symbols are handle: '],
  [{ operation: D, symbol: '#' }, 'Error invalid_arguments: symbol "#" is no name.'],
  [{ operation: D, symbol: 'a\0b' }, 'Error invalid_arguments: symbol "a\\u0000b" is no name.'],
  [{ operation: D, symbol: 'x'.repeat(3000) }, `Error invalid_arguments: symbol "${'x'.repeat(100)}" is no name.`],
  [{ operation: D, ...at('bin.ts', 1) }, 'Error binary: bin.ts has no text'],
  [{ operation: D, ...at('notes.txt', 1) }, 'Error unavailable: no language server for plaintext here.'],
  [{ operation: 'nonsense' }, 'Error invalid_arguments: operation "nonsense". There are goToDefinition, '],
  [{ operation: 'workspaceSymbol', query: 'zzzqqq' }, 'no symbol matches "zzzqqq"'],
  [
    { operation: 'rename', symbol: 'src/lib.ts#Map', newName: 'Karte' },
    /^Error unavailable: typescript-native 7\.0\.2: You cannot rename .* TypeScript library\.$/,
  ],
  [
    { operation: 'rename', symbol: 'src/taken.ts#first', newName: 'second' },
    'Error unavailable: typescript-native 7.0.2: second is declared beside it already, at L2.',
  ],
  [
    { operation: 'rename', symbol: 'src/taken.ts#first', newName: 'class' },
    'Error invalid_arguments: newName class is a word that typescript keeps for itself.',
  ],
  [
    { operation: 'rename', symbol: 'src/taken.ts#first', newName: '1st' },
    'Error invalid_arguments: newName "1st" is no name.',
  ],
  [{ operation: 'rename', symbol: 'src/taken.ts#first' }, 'Error invalid_arguments: newName is missing.'],
  [
    { operation: 'rename', symbol: 'src/taken.ts#first', newName: 'first' },
    'Error identical: first is its name already.',
  ],
  [
    { operation: 'rename', symbol: 'src/taken.ts#first', newName: 'one', dry_run: true },
    'Dry run: nothing was written.',
  ],
  [
    { operation: 'codeAction', ...at('src/taken.ts', 1), action: 99 },
    'Error invalid_arguments: there is no action 99.',
  ],
  [
    { operation: 'organizeImports', ...at('src/box.ts') },
    'src/box.ts: typescript-native 7.0.2 has nothing to organise',
  ],
  [{ operation: 'organizeImports', ...at('gone.ts') }, 'Error not_found: gone.ts.'],
  [
    { operation: 'moveFile', ...at('src/taken.ts'), newName: 'src/taken.ts' },
    'Error identical: src/taken.ts is its path already.',
  ],
  [
    { operation: 'moveFile', ...at('src/taken.ts'), newName: 'src/lib.ts' },
    'Error exists: src/lib.ts is there already.',
  ],
  [{ operation: 'moveFile', ...at('src/taken.ts'), newName: '../out.ts' }, 'Error denied: ../out.ts leads to'],
])('%j', { timeout: 60_000 }, async (args, begins) => {
  const { text } = await callLoaded(room, lspRefactorTool, args);
  if (typeof begins === 'string') expect(text.slice(0, begins.length)).toBe(begins);
  else expect(text).toMatch(begins);
  for (const [name, content] of Object.entries(FILES))
    expect(readFileSync(join(room.folder, name), 'utf8')).toBe(content);
});

test('a name that was used before is told, so that nothing is hidden unseen', { timeout: 60_000 }, async () => {
  const args = { operation: 'rename', symbol: 'src/inner.ts#outer', newName: 'second', dry_run: true };
  const { text } = await callLoaded(room, lspRefactorTool, args);
  expect(text).toContain('second was used before at src/inner.ts:2: look whether one hides the other');
});

test('a file that others changed or removed is as it is now', { timeout: 60_000 }, async () => {
  await room.write({ 'src/late.ts': 'export const late = 1;\n' });
  const ask = { operation: D, filePath: 'src/late.ts', symbol: 'late' };
  expect((await callLoaded(room, lspRefactorTool, ask)).text).toContain('1:14  export const late = 1;');
  await room.write({ 'src/late.ts': '// moved\nexport const late = 1;\n' });
  expect((await callLoaded(room, lspRefactorTool, ask)).text).toContain('2:14  export const late = 1;');
  rmSync(join(room.folder, 'src/late.ts'));
  expect((await callLoaded(room, lspRefactorTool, ask)).text).toMatch(/^Error not_found: src\/late\.ts\./);
});

test('a path that leads elsewhere than when it was asked before is what it is now', { timeout: 60_000 }, async () => {
  await room.write({ 'src/one.ts': 'export const way = 1;\n', 'src/other.ts': '\nexport const way = 2;\n' });
  const way = join(room.folder, 'src/way.ts');
  const ask = { operation: D, filePath: 'src/way.ts', symbol: 'way' };
  const answers: string[] = [];
  for (const target of ['one.ts', 'other.ts', '/etc/passwd', 'one.ts']) {
    rmSync(way, { force: true });
    symlinkSync(target, way);
    answers.push((await callLoaded(room, lspRefactorTool, ask)).text);
  }
  expect(answers.map((text) => text.split('\n').slice(-2)[0])).toEqual([
    '1:14  export const way = 1;',
    '2:14  export const way = 2;',
    expect.stringMatching(/^Error denied: src\/way\.ts leads to/),
    '1:14  export const way = 1;',
  ]);
});
