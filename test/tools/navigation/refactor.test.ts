import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { lspRefactorTool, lspTool } from '../../../src/tools/navigation/lsp.ts';
import { undoTool } from '../../../src/tools/undo.ts';
import { uriOfPath } from '../../../src/workspace/uri.ts';
import { callLoaded, linkPackage, openNavRoom } from '../../support/nav-projects.ts';
import { openToolRoom, type ToolRoom } from '../../support/tool-room.ts';

const SLOW = { timeout: 180_000 };
const USERS = 22;

const FILES: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [], "noEmit": true } }',
  'src/measure.ts': 'export function measure(side: number): number {\n  return side * 4;\n}\n',
  ...Object.fromEntries(
    Array.from({ length: USERS }, (_, index) => [
      `src/use${index}.ts`,
      `import { measure } from './measure.js';\r\n\r\nexport const size${index} = '😀'.length + measure(${index}) + measure(2);\r\n`,
    ]),
  ),
};

async function wideRoom(alias: string): Promise<ToolRoom> {
  const room = await openToolRoom(FILES);
  onTestFinished(() => room.close());
  linkPackage(room.folder, alias);
  return room;
}

const textsOf = (room: ToolRoom, files = FILES): Record<string, string> =>
  Object.fromEntries(Object.keys(files).map((name) => [name, readFileSync(join(room.folder, name), 'utf8')]));

const RENAME = { operation: 'rename', symbol: 'src/measure.ts#measure', newName: 'perimeter' };

test.each(['typescript-7', 'typescript'])(
  'a rename over 23 files is one receipt, and one undo gives every byte back: %s',
  SLOW,
  async (alias) => {
    const room = await wideRoom(alias);
    const tried = await callLoaded(room, lspRefactorTool, { ...RENAME, dry_run: true });
    expect(tried.receipt).toMatchObject({ ok: true, dry_run: true });
    expect(textsOf(room)).toEqual(FILES);
    // Nothing was written, so nothing is owed.
    await room.root.diagnostics.settle('test', 30_000);
    expect(room.root.diagnostics.takeReflow('test')).toEqual([]);

    const renamed = await callLoaded(room, lspRefactorTool, RENAME);
    expect(renamed.receipt).toMatchObject({ ok: true, diagnostics: { state: 'fresh', introduced: [], open: [] } });
    expect(renamed.receipt.files).toHaveLength(USERS + 1);
    expect(renamed.text).toContain(`measure renamed to perimeter: ${USERS * 3 + 1} places in ${USERS + 1} files`);
    const expected = Object.entries(FILES).map(([name, text]) => [
      name,
      text.replace(/\bmeasure\b(?!\.js)/g, 'perimeter'),
    ]);
    expect(textsOf(room)).toEqual(Object.fromEntries(expected));

    const undone = await room.call(undoTool, { id: renamed.receipt.undo });
    expect(undone.ok).toBe(true);
    expect(textsOf(room)).toEqual(FILES);
  },
);

test('where one of the files is read-only nothing changes', SLOW, async () => {
  const room = await wideRoom('typescript-7');
  chmodSync(join(room.folder, 'src/use7.ts'), 0o444);
  const renamed = await callLoaded(room, lspRefactorTool, RENAME);
  expect(renamed).toMatchObject({ ok: false, receipt: { code: 'read_only' } });
  expect(renamed.text).toContain('src/use7.ts');
  expect(textsOf(room)).toEqual(FILES);
});

test('what was imported is renamed where it is declared, not given another name', SLOW, async () => {
  const room = await wideRoom('typescript');
  const renamed = await callLoaded(room, lspRefactorTool, { ...RENAME, symbol: 'src/use3.ts#measure' });
  expect(renamed.receipt.files).toHaveLength(USERS + 1);
  expect(readFileSync(join(room.folder, 'src/use3.ts'), 'utf8')).toContain("import { perimeter } from './measure.js'");
});

test('a place beside a symbol, a name that is none and a language without a server change nothing', SLOW, async () => {
  const room = await wideRoom('typescript-7');
  const at = { operation: 'rename', filePath: 'src/measure.ts', newName: 'x' };
  const beside = await callLoaded(room, lspRefactorTool, { ...at, line: 2, character: 1 });
  expect(beside.receipt.code).toBe('invalid_arguments');
  const keyword = await callLoaded(room, lspRefactorTool, { ...at, line: 2, character: 4 });
  expect(keyword.ok).toBe(false);
  const noName = await callLoaded(room, lspRefactorTool, { ...RENAME, newName: 'a b' });
  expect(noName.text).toContain('newName "a b" is no name');
  await room.write({ 'notes.txt': 'measure\n' });
  const noServer = await callLoaded(room, lspRefactorTool, { ...RENAME, symbol: 'notes.txt#measure' });
  expect(noServer.receipt.code).toBe('unavailable');
  expect(textsOf(room)).toEqual(FILES);
});

describe('in a small project', () => {
  const files = {
    'src/c.ts': 'import { b, a } from "./d.js";\nexport const x = [a, b];\nconst y = new Square();\n',
    'src/d.ts': 'export const a = 1, b = 2;\n',
  };

  test('code actions are listed, and applied by their number', SLOW, async () => {
    const room = await openNavRoom('TypeScript 7', files);
    onTestFinished(() => room.close());
    const at = { operation: 'codeAction', filePath: 'src/c.ts', line: 3 };
    const listed = await callLoaded(room, lspRefactorTool, at);
    expect(listed.text).toBe(
      'src/c.ts: 1 code action; action: N applies one\n1. Add import from "./shapes.js" [quickfix]',
    );
    const beyond = await room.call(lspRefactorTool, { ...at, action: 2 });
    expect(beyond.text).toContain('there is no action 2');
    const applied = await room.call(lspRefactorTool, { ...at, action: 1 });
    expect(applied.receipt).toMatchObject({ ok: true, diagnostics: { introduced: [], fixed: [{ code: 'TS2304' }] } });
    expect(readFileSync(join(room.folder, 'src/c.ts'), 'utf8')).toContain('import { Square } from "./shapes.js";');
  });

  test('a number means what was listed: in a text that has changed since it is refused', SLOW, async () => {
    const st = "export const f1 = (p) => { p.length; };\nf1('x');\n";
    const room = await openNavRoom('typescript-language-server, TypeScript 6', { 'src/st.ts': st });
    onTestFinished(() => room.close());
    const at = { operation: 'codeAction', filePath: 'src/st.ts', line: 1 };
    const listed = await callLoaded(room, lspRefactorTool, at);
    const number = listed.text.split('\n').findIndex((row) => row.includes('Infer parameter types from usage'));
    expect(number).toBeGreaterThan(0);
    const changed = `export const h1 = (r) => { r.foo; };\n${st}`;
    await room.write({ 'src/st.ts': changed });
    const stale = await room.call(lspRefactorTool, { ...at, action: number });
    expect(stale.text).toMatch(
      /^Error stale: the file or its actions are other ones now\. src\/st\.ts: \d+ code action/,
    );
    expect(readFileSync(join(room.folder, 'src/st.ts'), 'utf8')).toBe(changed);
    expect((await room.call(lspRefactorTool, { ...at, action: number })).ok).toBe(true);
  });

  test('a file whose lines the server counts otherwise is left alone', SLOW, async () => {
    const m =
      'import { b } from "./d.js";\nimport { a } from "./d.js";\nconst s = "x\u2028y";\n// c1\nexport const z = [a, b, s];\n';
    const room = await openNavRoom('typescript-language-server, TypeScript 6', { ...files, 'src/m.ts': m });
    onTestFinished(() => room.close());
    for (const args of [
      { operation: 'organizeImports', filePath: 'src/m.ts' },
      { operation: 'moveFile', filePath: 'src/d.ts', newName: 'src/e.ts' },
    ]) {
      expect((await callLoaded(room, lspRefactorTool, args)).text).toMatch(
        /^Error unavailable: src\/m\.ts has a line separ/,
      );
    }
    expect(readFileSync(join(room.folder, 'src/m.ts'), 'utf8')).toBe(m);
  });

  test('a refactoring that the server makes by a command lands like any other', SLOW, async () => {
    const room = await openNavRoom('typescript-language-server, TypeScript 6', files);
    onTestFinished(() => room.close());
    const at = { operation: 'codeAction', filePath: 'src/c.ts', line: 2 };
    const listed = await callLoaded(room, lspRefactorTool, at);
    const number = listed.text.split('\n').findIndex((row) => row.includes('Convert named export to default export'));
    expect(number).toBeGreaterThan(0);
    const applied = await room.call(lspRefactorTool, { ...at, action: number });
    expect(applied.ok).toBe(true);
    expect(listed.text).not.toContain('new file');
    expect(readFileSync(join(room.folder, 'src/c.ts'), 'utf8')).toContain('export default [a, b]');
    const undone = await room.call(undoTool, {});
    expect(undone.ok).toBe(true);
    expect(textsOf(room, files)).toEqual(files);
  });

  test('a file that others changed while the server was asked is left as they made it', SLOW, async () => {
    const room = await openNavRoom('TypeScript 7', files);
    onTestFinished(() => room.close());
    const organize = { operation: 'organizeImports', filePath: 'src/c.ts' };
    await callLoaded(room, lspRefactorTool, { ...organize, dry_run: true });
    const [server] = await room.root.diagnostics.runningServers();
    if (!server) throw new Error('no server runs');
    const theirs = `const keep = 1;\nconst keep2 = 2;\n${files['src/c.ts']}`;
    const request = server.request.bind(server);
    vi.spyOn(server, 'request').mockImplementation(async (method, params) => {
      const reply = await request(method, params);
      if (method === 'textDocument/codeAction') await room.write({ 'src/c.ts': theirs });
      return reply;
    });
    const refused = await room.call(lspRefactorTool, organize);
    expect(refused.text).toMatch(/^Error stale: src\/c\.ts changed while the server was asked/);
    expect(readFileSync(join(room.folder, 'src/c.ts'), 'utf8')).toBe(theirs);
  });

  test('a number that was listed for another place of the file is refused', SLOW, async () => {
    const room = await openNavRoom('TypeScript 7', files);
    onTestFinished(() => room.close());
    const at = { operation: 'codeAction', filePath: 'src/c.ts' };
    await callLoaded(room, lspRefactorTool, { ...at, line: 2 });
    const refused = await room.call(lspRefactorTool, { ...at, line: 3, action: 1 });
    expect(refused.text).toMatch(
      /^Error invalid_arguments: action 1 was listed for another place of src\/c\.ts\. src\/c\.ts: 1 code action/,
    );
    expect(textsOf(room, files)).toEqual(files);
    expect((await room.call(lspRefactorTool, { ...at, line: 3, action: 1 })).ok).toBe(true);
  });

  test('a link is not moved for the file that it leads to', SLOW, async () => {
    const room = await openNavRoom('TypeScript 7', files);
    onTestFinished(() => room.close());
    symlinkSync('d.ts', join(room.folder, 'src/link.ts'));
    const move = { operation: 'moveFile', filePath: 'src/link.ts', newName: 'src/e.ts' };
    const refused = await room.call(lspRefactorTool, move);
    expect(refused.text).toContain('src/link.ts is a link to src/d.ts. Name the file itself');
    expect(textsOf(room, files)).toEqual(files);
  });

  test('settings that name the old place are left, and that is said', SLOW, async () => {
    const tsconfig = JSON.stringify({ compilerOptions: { strict: true, types: [] }, include: ['src'] });
    const room = await openNavRoom('TypeScript 7', { ...files, 'tsconfig.json': tsconfig });
    onTestFinished(() => room.close());
    const move = { operation: 'moveFile', filePath: 'src/d.ts', newName: 'lib/d.ts' };
    const moved = await callLoaded(room, lspRefactorTool, move);
    expect(moved.ok).toBe(true);
    expect(moved.text).toContain('tsconfig.json is as it was: see that it names the new place');
    expect(readFileSync(join(room.folder, 'src/c.ts'), 'utf8')).toContain('from "../lib/d');
    expect(readFileSync(join(room.folder, 'tsconfig.json'), 'utf8')).toBe(tsconfig);
  });

  test('what is taken out of the code gets the name that the server gives it', SLOW, async () => {
    const g =
      'export function area(of: { width: number; height: number }): number {\n  return of.width * of.height;\n}\n';
    const room = await openNavRoom('typescript-language-server, TypeScript 6', { 'src/g.ts': g });
    onTestFinished(() => room.close());
    const at = { operation: 'codeAction', filePath: 'src/g.ts', line: 1, character: 28 };
    const listed = await callLoaded(room, lspRefactorTool, at);
    const number = listed.text.split('\n').findIndex((row) => row.includes('Extract to interface'));
    expect(number).toBeGreaterThan(0);
    const applied = await room.call(lspRefactorTool, { ...at, action: number });
    expect(applied.receipt).toMatchObject({ ok: true, diagnostics: { state: 'fresh', introduced: [] } });
    expect(readFileSync(join(room.folder, 'src/g.ts'), 'utf8')).toContain('interface NewType {');
  });

  test(
    'what is only a command comes back as an edit of several files: one change, one receipt, one undo',
    SLOW,
    async () => {
      const two = {
        'src/e.ts': 'export function only(): number {\r\n  return 1;\r\n}\r\n',
        'src/f.ts': "import { only } from './e.js';\n// 😀\nexport const twice = only() * 2;\n",
      };
      const room = await openNavRoom('typescript-language-server, TypeScript 6', two);
      onTestFinished(() => room.close());
      const at = { operation: 'codeAction', filePath: 'src/e.ts', line: 1 };
      const listed = await callLoaded(room, lspRefactorTool, at);
      const rows = listed.text.split('\n');
      const number = rows.findIndex((row) => row.includes('Convert named export to default export'));
      expect(number).toBeGreaterThan(0);
      const [server] = await room.root.diagnostics.runningServers();
      const raw = await server?.request('textDocument/codeAction', {
        textDocument: { uri: uriOfPath(join(room.folder, 'src/e.ts')) },
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        context: { diagnostics: [], triggerKind: 1 },
      });
      const actions = raw as readonly {
        readonly title: string;
        readonly disabled?: unknown;
        readonly command?: unknown;
      }[];
      const action = actions.find(({ title, disabled }) => !disabled && rows[number]?.includes(title));
      const whole = action?.command ? action : await server?.request('codeAction/resolve', action);
      expect(whole).toMatchObject({ command: { command: '_typescript.applyRefactoring' } });
      expect(whole).not.toHaveProperty('edit');

      const planned = await room.call(lspRefactorTool, { ...at, action: number, dry_run: true });
      expect(planned.text).toContain('Would edit src/f.ts');
      expect(textsOf(room, two)).toEqual(two);
      const applied = await room.call(lspRefactorTool, { ...at, action: number });
      expect(applied.receipt).toMatchObject({ ok: true, diagnostics: { introduced: [] } });
      expect(applied.receipt.files.map(({ path }) => path).sort()).toEqual(['src/e.ts', 'src/f.ts']);
      expect(textsOf(room, two)).toEqual({
        'src/e.ts': two['src/e.ts'].replace('export function', 'export default function'),
        'src/f.ts': two['src/f.ts'].replace('{ only }', 'only'),
      });
      const undone = await room.call(undoTool, { id: applied.receipt.undo });
      expect(undone.ok).toBe(true);
      expect(textsOf(room, two)).toEqual(two);
    },
  );

  test(
    'a word of the language is no symbol, and what only private members may be called is no name of others',
    SLOW,
    async () => {
      const f = 'class C {\n  #p = 1;\n  f() { return this.#p; }\n}\nexport function one(): void {\n  new C();\n}\n';
      const room = await openNavRoom('TypeScript 7', { 'src/f.ts': f });
      onTestFinished(() => room.close());
      const at = { operation: 'rename', filePath: 'src/f.ts' };
      const keyword = await callLoaded(room, lspRefactorTool, { ...at, line: 5, character: 1, newName: 'x' });
      expect(keyword.text).toMatch(/^Error invalid_arguments: /);
      for (const newName of ['#one', 'await', 'undefined']) {
        const refused = await room.call(lspRefactorTool, { ...at, symbol: 'one', newName });
        expect(refused.text).toMatch(/^Error invalid_arguments: /);
      }
      const renamed = await room.call(lspRefactorTool, { ...at, line: 2, symbol: '#p', newName: '#q' });
      expect(renamed.ok).toBe(true);
      expect(readFileSync(join(room.folder, 'src/f.ts'), 'utf8')).toBe(f.replaceAll('#p', '#q'));
    },
  );

  test('a member may have a name that is a word of the language', SLOW, async () => {
    const s = 'export class Store {\n  delete(): void {}\n}\nnew Store().delete();\n';
    const room = await openNavRoom('TypeScript 7', { 'src/s.ts': s });
    onTestFinished(() => room.close());
    const there = { operation: 'rename', symbol: 'src/s.ts#Store/delete', newName: 'remove' };
    expect((await callLoaded(room, lspRefactorTool, there)).ok).toBe(true);
    expect(readFileSync(join(room.folder, 'src/s.ts'), 'utf8')).toBe(s.replaceAll('delete', 'remove'));
    const back = { operation: 'rename', symbol: 'src/s.ts#Store/remove', newName: 'delete' };
    expect((await room.call(lspRefactorTool, back)).ok).toBe(true);
    expect(readFileSync(join(room.folder, 'src/s.ts'), 'utf8')).toBe(s);
  });

  test('imports are organised, and a moved file takes its importers along', SLOW, async () => {
    const room = await openNavRoom('TypeScript 7', files);
    onTestFinished(() => room.close());
    const organised = await callLoaded(room, lspRefactorTool, { operation: 'organizeImports', filePath: 'src/c.ts' });
    expect(organised.text).toContain('imports organised');
    expect(readFileSync(join(room.folder, 'src/c.ts'), 'utf8')).toMatch(/^import \{ a, b \} from "\.\/d\.js";\n/);
    const again = await room.call(lspRefactorTool, { operation: 'organizeImports', filePath: 'src/c.ts' });
    expect([again.ok, again.text]).toEqual([true, expect.stringContaining('has nothing to organise')]);
    const before = textsOf(room, files);
    const move = { operation: 'moveFile', filePath: 'src/d.ts', newName: 'src/deep/e.ts' };
    const tried = await room.call(lspRefactorTool, { ...move, dry_run: true });
    expect(tried.receipt.diagnostics).toMatchObject({ state: 'unavailable', introduced: [] });
    expect(tried.text).toContain('of files that would be made, moved or deleted it can not be known before');
    const moved = await room.call(lspRefactorTool, move);
    expect(moved.receipt.files.map(({ op, path }) => [op, path])).toEqual([
      ['move', 'src/deep/e.ts'],
      ['edit', 'src/c.ts'],
    ]);
    expect(readFileSync(join(room.folder, 'src/c.ts'), 'utf8')).toContain('from "./deep/e.js"');
    await room.call(undoTool, {});
    expect(textsOf(room, files)).toEqual(before);
  });

  test('the tool that only looks has no operation that changes anything', async () => {
    const room = await openNavRoom('TypeScript 7', files);
    onTestFinished(() => room.close());
    for (const operation of ['rename', 'codeAction', 'organizeImports', 'moveFile']) {
      const result = await room.call(lspTool, { operation, filePath: 'src/d.ts', symbol: 'a' });
      expect(result).toMatchObject({ ok: false, receipt: { code: 'invalid_arguments' } });
    }
  });

  test('a server that is loading is pending, never an empty list', SLOW, async () => {
    const room = await openNavRoom('TypeScript 7', files);
    onTestFinished(() => room.close());
    const args = { operation: 'findReferences', symbol: 'src/d.ts#a' };
    const first = await room.call(lspTool, args, { answerWithinMs: 1001 });
    expect(first.text).toMatch(/^pending: typescript-native 7\.0\.2 is .*nothing is known yet\. Ask again/);
    expect(first.receipt).toMatchObject({ ok: true, complete: false, why: 'pending' });
    const later = await callLoaded(room, lspTool, args);
    expect(later.text).toContain('(3 references in 2 files)');
  });
});

test('imports are organised by the command of a server that has no code action for it', SLOW, async () => {
  const sorted = '# 😀\r\nimport abc\r\nimport json\r\n\r\nprint(json, abc)\r\n';
  const files = { 'pyproject.toml': '', 'a.py': sorted.replace(/(.*abc\r\n)(.*json\r\n)/, '$2$1') };
  const room = await openToolRoom(files);
  onTestFinished(() => room.close());
  const organize = { operation: 'organizeImports', filePath: 'a.py' };
  const dry = await callLoaded(room, lspRefactorTool, { ...organize, dry_run: true });
  expect(dry.receipt).toMatchObject({ ok: true, dry_run: true });
  expect(textsOf(room, files)).toEqual(files);
  const organized = await callLoaded(room, lspRefactorTool, organize);
  expect(organized.text).toContain('note: imports organised');
  expect(textsOf(room, files)['a.py']).toBe(sorted);
  expect((await callLoaded(room, lspRefactorTool, organize)).text).toMatch(
    /^a\.py: pyright .* has nothing to organise$/,
  );
  await room.call(undoTool, { id: organized.receipt.undo });
  expect(textsOf(room, files)).toEqual(files);
});

test.each(['typescript-7', 'typescript'])(
  'a move says what still names the old path, as mocks do: %s',
  SLOW,
  async (alias) => {
    const room = await openToolRoom({
      ...FILES,
      'package.json': '{ "type": "module",\n  "exports": { ".": "./src/measure.js" } }',
      'src/mock.ts':
        "declare const vi: { mock(path: string): void };\nvi.mock('./measure.js');\nvi.mock('./other.js');\nexport {};\n",
    });
    onTestFinished(() => room.close());
    linkPackage(room.folder, alias);
    const move = (newName: string) =>
      callLoaded(room, lspRefactorTool, { operation: 'moveFile', filePath: 'src/measure.ts', newName, dry_run: true });
    const moved = await move('src/deep/measure.ts');
    expect(moved.text).toContain(
      `imports mended in ${USERS} other files; the old path is still named at package.json:2, src/mock.ts:2\n`,
    );
    expect((await move('src/measure.mts')).text).toContain('still named at package.json:2, src/mock.ts:2');
    expect((await move('src/use1.ts')).text).toMatch(
      /^Error exists: src\/use1\.ts is there already\. Move to another name/,
    );
  },
);
