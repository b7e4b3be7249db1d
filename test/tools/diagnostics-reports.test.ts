import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/broker/session.ts';
import { openRoot } from '../../src/hosts/open-root.ts';
import { bashTool } from '../../src/tools/bash.ts';
import { callTool } from '../../src/tools/call-tool.ts';
import { diagnosticsTool } from '../../src/tools/diagnostics.ts';
import { editTool } from '../../src/tools/edit.ts';
import type { Tool, ToolResult } from '../../src/tools/tool.ts';
import { writeTool } from '../../src/tools/write.ts';
import { linkPackage } from '../support/nav-projects.ts';

const SLOW = { timeout: 120_000 };
const TSCONFIG = '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [], "noEmit": true } }';
const BASE = { 'package.json': '{ "type": "module" }', 'tsconfig.json': TSCONFIG };

interface Room {
  readonly folder: string;
  call(tool: Tool, args: unknown): Promise<ToolResult>;
  /** What is said of one file now. */
  state(file: string): Promise<string>;
  running(): Promise<readonly { readonly root: string; readonly version: string | undefined }[]>;
}

/** A root on TypeScript 7; `through` is the path that it is opened by. */
async function room(files: Record<string, string>, through?: (folder: string) => string): Promise<Room> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'emend-reports-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  linkPackage(folder, 'typescript-7');
  const root = await openRoot({ root: through?.(folder) ?? folder });
  onTestFinished(async () => {
    await root.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const session = createSession(root, 'test', { diagnosticsBudgetMs: 60_000 });
  const call = (tool: Tool, args: unknown): Promise<ToolResult> =>
    callTool([tool], { name: tool.name, args }, { session });
  return {
    folder,
    call,
    state: async (file) => (await call(diagnosticsTool, { file_path: file, wait_ms: 60_000 })).text,
    running: async () =>
      (await root.diagnostics.runningServers()).map(({ resolved }) => ({
        root: resolved.root,
        version: resolved.projectVersion,
      })),
  };
}

test(
  'an edit that makes an error is an edit that was made: first that it landed, then the state of the file',
  SLOW,
  async () => {
    // https://github.com/anomalyco/opencode/issues/9102
    const { call } = await room({ ...BASE, 'a.ts': 'export const a: number = 1;\n' });
    const edited = await call(editTool, { file_path: 'a.ts', old_string: '= 1', new_string: '= "x"' });
    expect(edited.ok).toBe(true);
    const lines = edited.text.split('\n');
    expect(lines[0]).toMatch(/^Edited a\.ts \(\+1 -1\) L1 \[e\d+\]$/);
    const at = lines.findIndex((line) => line.startsWith('diagnostics: 1 introduced'));
    expect(at).toBeGreaterThan(0);
    expect(lines[at + 1]).toMatch(/^\+ a\.ts:1:14 error TS2322 /);
    expect(edited.text).not.toMatch(/please|must fix/i);

    // https://github.com/microsoft/vscode/issues/265433
    const elsewhere = await call(editTool, { file_path: 'a.ts', old_string: 'export', new_string: '// why\nexport' });
    expect(elsewhere.text).toMatch(/diagnostics: 0 introduced, 0 fixed, 1 still open/);
    expect(elsewhere.text).toContain('= a.ts:2:14 error TS2322');
  },
);

test('old errors that a deletion moves are not new; the same error at another place is', SLOW, async () => {
  // https://github.com/NousResearch/hermes-agent/pull/25978, https://github.com/SWE-agent/SWE-agent/issues/560
  const line = (n: number): string => (n === 50 || n === 80 ? `missing(${n});` : `export const v${n} = ${n};`);
  const { call } = await room({ ...BASE, 'a.ts': `${Array.from({ length: 90 }, (_, i) => line(i + 1)).join('\n')}\n` });
  const gone = Array.from({ length: 14 }, (_, i) => `${line(i + 10)}\n`).join('');
  const cut = await call(editTool, { file_path: 'a.ts', old_string: gone, new_string: '' });
  expect(cut.text).toMatch(/diagnostics: 0 introduced, 0 fixed, 2 before/);
  const more = await call(editTool, {
    file_path: 'a.ts',
    old_string: line(30),
    new_string: `${line(30)}\nmissing(50);`,
  });
  expect(more.text).toMatch(/diagnostics: 1 introduced, 0 fixed, 2 before/);
  expect(more.text).toContain('+ a.ts:17:1 error TS2304');
});

test('a package deeper in the repository has its own root and its own TypeScript', SLOW, async () => {
  // https://github.com/anomalyco/opencode/issues/7690
  const made = await room({
    '.git/HEAD': 'ref: refs/heads/main\n',
    'frontend/package.json': '{ "type": "module" }',
    'frontend/tsconfig.json': TSCONFIG,
    'frontend/src/a.ts': 'export const a: number = "x";\n',
    'backend/pom.xml': '<project/>\n',
  });
  mkdirSync(join(made.folder, 'frontend/node_modules'));
  symlinkSync(
    join(import.meta.dirname, '../../node_modules/typescript-5'),
    join(made.folder, 'frontend/node_modules/typescript'),
  );
  expect(await made.state('frontend/src/a.ts')).toContain('frontend/src/a.ts:1:14 error TS2322');
  expect(await made.running()).toEqual([{ root: join(made.folder, 'frontend'), version: '5.9.3' }]);
});

test('a file under a root that is named by a link is one file, with the path of the root', SLOW, async () => {
  // https://github.com/engcapa/taomni/pull/457
  const links = realpathSync(mkdtempSync(join(tmpdir(), 'emend-links-')));
  onTestFinished(() => rmSync(links, { recursive: true, force: true }));
  const made = await room({ ...BASE, 'a.ts': 'export const a: number = "x";\n' }, (folder) => {
    symlinkSync(folder, join(links, 'link'));
    return join(links, 'link');
  });
  const said = await made.state('a.ts');
  expect(said).toMatch(/^a\.ts: 1 found\n/);
  for (const name of [join(links, 'link/a.ts'), join(made.folder, 'a.ts')]) expect(await made.state(name)).toBe(said);
});

test('what a command did to files is known to the next question, without an edit between', SLOW, async () => {
  // https://github.com/anthropics/claude-code/issues/80267, https://github.com/anthropics/claude-code/issues/85225
  const { call, state } = await room({
    ...BASE,
    'b.ts': "import { x } from './a.js';\nexport const y: number = x;\n",
  });
  expect(await state('b.ts')).toMatch(/1 found[\s\S]*TS2307/);
  await call(writeTool, { file_path: 'a.ts', content: 'export const x: number = 1;\n' });
  expect(await state('b.ts')).toBe('b.ts: clean');
  await call(bashTool, { command: 'sed -i \'s/x: number = 1/x: string = ""/\' a.ts' });
  expect(await state('b.ts')).toMatch(/1 found[\s\S]*TS2322/);
  expect(await state('a.ts')).toBe('a.ts: clean');
  await call(bashTool, { command: 'mv a.ts c.ts' });
  expect(await state('b.ts')).toMatch(/1 found[\s\S]*TS2307/);
});
