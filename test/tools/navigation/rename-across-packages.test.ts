import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lspRefactorTool, lspTool } from '../../../src/tools/navigation/lsp.ts';
import { readTool } from '../../../src/tools/read.ts';
import { callLoaded, linkPackage } from '../../support/nav-projects.ts';
import { openToolRoom } from '../../support/tool-room.ts';

const TSCONFIG = JSON.stringify({
  compilerOptions: { strict: true, module: 'nodenext', composite: true, outDir: 'dist', types: [] },
  include: ['src'],
});
const USE = "import { size } from '../../lib/src/size.js';\n";
const TYPESCRIPT: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true, "workspaces": ["packages/*"] }',
  'packages/lib/package.json': '{ "name": "lib", "type": "module" }',
  'packages/lib/tsconfig.json': TSCONFIG,
  'packages/lib/src/size.ts': 'export function size(of: number): number {\n  return of;\n}\n',
  'packages/app/package.json': '{ "name": "app", "type": "module" }',
  'packages/app/tsconfig.json': TSCONFIG.replace('"include"', '"references":[{"path":"../lib"}],"include"'),
  'packages/app/src/one.ts': `${USE}export const one = size(1);\n`,
  'packages/app/src/two.ts': `${USE}export const two = size(2) + size(3);\n`,
};
const PYTHON: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  'packages/lib/pyproject.toml': '[project]\nname = "lib"\n',
  'packages/lib/size.py': 'def size(of: int) -> int:\n    return of\n',
  'packages/app/pyproject.toml': '[project]\nname = "app"\n',
  'packages/app/one.py': 'from packages.lib.size import size\n\none = size(1)\n',
  'packages/app/two.py': 'from packages.lib.size import size\n\ntwo = size(2) + size(3)\n',
};

test.each([
  ['TypeScript 7', 'typescript-7', TYPESCRIPT, 'packages/lib/src/size.ts'],
  ['TypeScript 6', 'typescript', TYPESCRIPT, 'packages/lib/src/size.ts'],
  ['TypeScript 5.9', 'typescript-5', TYPESCRIPT, 'packages/lib/src/size.ts'],
  ['Python', undefined, PYTHON, 'packages/lib/size.py'],
] as const)(
  'a rename in one package takes the files of the other along, and all are clean after: %s',
  { timeout: 180_000 },
  async (_name, alias, files, declared) => {
    const room = await openToolRoom(files);
    onTestFinished(() => room.close());
    if (alias) linkPackage(room.folder, alias);
    const symbol = `${declared}#size`;
    const used = await callLoaded(room, lspTool, { operation: 'findReferences', symbol });
    for (const name of Object.keys(files).filter((one) => /(one|two)\./.test(one))) expect(used.text).toContain(name);
    const renamed = await callLoaded(room, lspRefactorTool, {
      operation: 'rename',
      symbol,
      newName: 'extent',
    });
    const report = { state: 'fresh', introduced: [], open: [], unchecked: 0 };
    expect(renamed.receipt).toMatchObject({ ok: true, diagnostics: report });
    const changed = Object.entries(files).filter(([, text]) => /\bsize\(/.test(text));
    expect(renamed.receipt.files?.map(({ path }) => path).sort()).toEqual(changed.map(([name]) => name).sort());
    expect(changed).toHaveLength(3);
    for (const [name, text] of changed) {
      const expected = text.replace(/\bsize\b(?!\.js)(?! import)/g, 'extent');
      expect(readFileSync(join(room.folder, name), 'utf8')).toBe(expected);
      // What the workspace holds is what the disk holds.
      expect((await room.call(readTool, { file_path: name })).text).toContain('extent');
    }
  },
);
