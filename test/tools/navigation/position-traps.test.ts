import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../../src/broker/session.ts';
import { openRoot } from '../../../src/hosts/open-root.ts';
import { callTool } from '../../../src/tools/call-tool.ts';
import { lspRefactorTool, lspTool } from '../../../src/tools/navigation/lsp.ts';
import { callLoaded, linkPackage, openNavRoom } from '../../support/nav-projects.ts';
import { makeProject, type Project } from '../../support/project.ts';

const SLOW = { timeout: 120_000 };
const BASE = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [], "noEmit": true } }',
};

async function roomOn(folder: string) {
  const root = await openRoot({ root: folder });
  onTestFinished(() => root.close());
  const session = createSession(root, 'test');
  return { call: (tool: typeof lspTool, args: unknown) => callTool([tool], { name: tool.name, args }, { session }) };
}

function project(files: Record<string, string>, alias = 'typescript-7'): Project {
  const made = makeProject({ ...BASE, ...files });
  linkPackage(made.root, alias);
  return made;
}

const ONE_LINE = "const s = '😀'; function foo() {} ; foo(); \tfoo();";

test.each([
  ['the server that counts in UTF-8', 'typescript-7', ONE_LINE],
  ['the server that counts in UTF-16', 'typescript', ONE_LINE],
  ['CRLF and a byte order mark', 'typescript-7', `\ufeff// é\r\n${ONE_LINE}\r\n`],
  ['lines that only some count as lines', 'typescript-7', `const t = 'a\u2028b';\n${ONE_LINE}\n`],
])('a rename behind an emoji changes the names and no other byte: %s', SLOW, async (_what, alias, text) => {
  const made = project({ 'a.ts': text }, alias);
  const room = await roomOn(made.root);
  const line = text.slice(0, text.indexOf('const s')).split('\n').length;
  const args = { operation: 'goToDefinition', filePath: 'a.ts', line, symbol: 'foo', character: 99 };
  const found = await callLoaded(room, lspTool, args);
  const column = ONE_LINE.indexOf('foo') + 1;
  expect(found.text).toContain(`${line}:${column}  const s`);
  const renamed = await callLoaded(room, lspRefactorTool, { ...args, operation: 'rename', newName: 'größe' });
  expect(renamed.text).toContain('foo renamed to größe');
  expect(made.read('a.ts')).toBe(text.replaceAll('foo', 'größe'));
});

test('a file and a folder whose names are percent-encoded in a uri are found and named as they are', SLOW, async () => {
  const made = project({
    'my dir+@[1]/a b%20é.ts': 'export function measure() {}\n',
    'use.ts': 'import { measure } from "./my dir+@[1]/a b%20é.js";\nmeasure();\n',
  });
  const room = await roomOn(made.root);
  const found = await callLoaded(room, lspTool, { operation: 'findReferences', symbol: 'use.ts#measure' });
  expect(found.text).toContain('my dir+@[1]/a b%20é.ts\n1:17  export function measure() {}');
  expect(found.text).toContain('use.ts\n1:10  import');
});

test('under a root that is named by a link, paths are those of the root', SLOW, async () => {
  const made = project({
    'a.ts': 'export function measure() {}\n',
    'use.ts': 'import { measure } from "./a.js";\nmeasure();\n',
  });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-link-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(made.root, join(folder, 'link'));
  const room = await roomOn(join(folder, 'link'));
  const found = await callLoaded(room, lspTool, {
    operation: 'findReferences',
    filePath: join(folder, 'link/use.ts'),
    symbol: 'measure',
  });
  expect(found.text).toBe(
    'a.ts\n1:17  export function measure() {}\nuse.ts\n1:10  import { measure } from "./a.js";\n2:1  measure();\n(3 references in 2 files)',
  );
});

test('a comment is not what code lies in', SLOW, async () => {
  const room = await openNavRoom('pyright', { 'noted.py': '# coding: utf-8\r\nfrom shapes import measure\r\n' });
  onTestFinished(() => room.close());
  const used = await callLoaded(room, lspTool, { operation: 'findReferences', symbol: 'shapes.py#measure' });
  expect(used.text).toContain('noted.py\n2:20  from shapes import measure\n');
});
