import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lspRefactorTool, lspTool } from '../../../src/tools/navigation/lsp.ts';
import { selectTools } from '../../../src/tools/select-tools.ts';
import { undoTool } from '../../../src/tools/undo.ts';
import { callLoaded, linkPackage } from '../../support/nav-projects.ts';
import { openToolRoom, type ToolRoom } from '../../support/tool-room.ts';

const SLOW = { timeout: 180_000 };
const CONFIG = JSON.stringify({
  compilerOptions: { strict: true, module: 'nodenext', types: [], noEmit: true },
  include: ['src'],
});
const USE = "import { size } from '../src/lib/size.js';\r\nif (size('😀') !== 2) throw new Error();\r\n";
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': CONFIG,
  'src/lib/size.ts': 'export function size(of: string): number {\n  return of.length;\n}\n',
  'src/use.ts': "import { size } from './lib/size.js';\nexport const used = size('');\n",
  'test/size.test.ts': USE,
  'scripts/measure.mjs': USE,
};

async function openRoom(alias: string): Promise<ToolRoom> {
  const room = await openToolRoom(FILES);
  onTestFinished(() => room.close());
  linkPackage(room.folder, alias);
  return room;
}

const textsOf = (room: ToolRoom, names: readonly string[]): readonly string[] =>
  names.map((name) => readFileSync(join(room.folder, name), 'utf8'));

test.each(['typescript-7', 'typescript', 'typescript-5'])(
  'tests and scripts that no project takes in are uses as all others: %s',
  SLOW,
  async (alias) => {
    const room = await openRoom(alias);
    const symbol = 'src/lib/size.ts#size';
    const used = await callLoaded(room, lspTool, { operation: 'findReferences', symbol });
    expect(used.text).toContain('(7 references in 4 files)');
    expect(used.text).toContain("test/size.test.ts\n1:10  import { size } from '../src/lib/size.js';\n2:5  if");

    const moved = await callLoaded(room, lspRefactorTool, {
      operation: 'moveFile',
      filePath: 'src/lib/size.ts',
      newName: 'src/size.ts',
    });
    expect(moved.text).toContain('imports mended in 3 other files');

    const renamed = await callLoaded(room, lspRefactorTool, {
      operation: 'rename',
      symbol: 'src/size.ts#size',
      newName: 'extent',
    });
    expect(renamed.text).toContain('size renamed to extent: 7 places in 4 files');
    const expected = USE.replace('{ size }', '{ extent }').replace('/lib', '').replace('(size', '(extent');
    expect(textsOf(room, ['test/size.test.ts', 'scripts/measure.mjs'])).toEqual([expected, expected]);
  },
);

test.each(['typescript-7', 'typescript'])(
  'a file is moved before anything else was asked, and tests beside the project follow: %s',
  SLOW,
  async (alias) => {
    const room = await openRoom(alias);
    const moved = await callLoaded(room, lspRefactorTool, {
      operation: 'moveFile',
      filePath: 'src/lib/size.ts',
      newName: 'src/size.ts',
    });
    expect(moved.receipt).toMatchObject({ ok: true, diagnostics: { introduced: [] } });
    const expected = USE.replace('/lib', '');
    expect(textsOf(room, ['test/size.test.ts', 'scripts/measure.mjs'])).toEqual([expected, expected]);
  },
);

test('a file that two projects have is moved once, by the paths that were there', SLOW, async () => {
  const room = await openToolRoom({
    ...FILES,
    'tsconfig.json': CONFIG.replace('"strict"', '"allowImportingTsExtensions":true,"strict"'),
    'src/unit.ts':
      "import { size } from './lib/size.ts';\nexport type Unit = string;\nexport const unit = size('.');\n",
    'src/lib/size.ts':
      "import type { Unit } from '../unit.js';\nexport const size = (of: Unit): number => of.length;\n",
    'scripts/types.js': "/** @type {typeof import('../src/lib/size.js').size} */\nexport let size;\n",
  });
  onTestFinished(() => room.close());
  const names = ['src/use.ts', 'src/unit.ts', 'src/lib/size.ts', 'scripts/types.js'];
  const before = textsOf(room, names);
  const move = (filePath: string, newName: string) =>
    callLoaded(room, lspRefactorTool, { operation: 'moveFile', filePath, newName });
  const clean = { ok: true, diagnostics: { introduced: [] } };
  for (const newName of ['src/deep/size.ts', "src/it's 😀.ts"]) {
    const moved = await move('src/lib/size.ts', newName);
    expect(moved.receipt).toMatchObject(clean);
    const undone = await room.call(undoTool, { id: moved.receipt.undo });
    expect(undone.ok).toBe(true);
    expect(textsOf(room, names)).toEqual(before);
  }
  expect((await move('src/lib/size.ts', "src/lib/it's.ts")).receipt).toMatchObject(clean);
  expect(textsOf(room, ['src/use.ts'])[0]).toMatch(/'\.\/lib\/it\\'s\.[jt]s'/);
  expect((await move("src/lib/it's.ts", 'src/lib/size.ts')).receipt).toMatchObject(clean);
  expect(textsOf(room, ['src/use.ts'])[0]).toMatch(/'\.\/lib\/size\.[jt]s'/);
});

test('an edit counts no references where files of no project may have more', SLOW, async () => {
  const room = await openRoom('typescript-7');
  const selected = selectTools({ tools: ['Edit'], experimentalLsp: 'read' });
  const [edit] = selected.status === 'selected' ? selected.tools : [];
  if (!edit) throw new Error('Edit is not offered');
  const counted = async (times: number): Promise<readonly string[]> => {
    const texts: string[] = [];
    for (let more = 0; more < times; more += 1) {
      const [old_string, new_string] = more % 2 === 0 ? ['of.length', '0 + of.length'] : ['0 + of.length', 'of.length'];
      texts.push((await room.call(edit, { file_path: 'src/lib/size.ts', old_string, new_string })).text);
    }
    return texts.flatMap((text) => /^symbol: .*/m.exec(text) ?? []);
  };
  const symbol = 'src/lib/size.ts#size';
  await callLoaded(room, lspTool, { operation: 'hover', symbol });
  expect(await counted(4)).toEqual([]);
  await callLoaded(room, lspTool, { operation: 'findReferences', symbol });
  // A busy machine may be too late for the budget; then nothing is said.
  expect(await counted(4)).toContain('symbol: size, 3 references in 3 files');
});
