import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDiagnosticsBoard } from '../../../src/diagnostics/create-diagnostics-board.ts';
import { editTool } from '../../../src/tools/edit.ts';
import { lspRefactorTool, lspTool } from '../../../src/tools/navigation/lsp.ts';
import { systemClock } from '../../../src/workspace/clock.ts';
import { serverDefinitionSchema } from '../../../src/workspace/language-server/server-definition.ts';
import { callLoaded, linkPackage, openNavRoom } from '../../support/nav-projects.ts';
import { isRunning, until } from '../../support/processes.ts';
import { recordedRun } from '../../support/recorded-run.ts';
import { openToolRoom, type ToolRoom } from '../../support/tool-room.ts';

const SLOW = { timeout: 120_000 };
const FAKE = join(import.meta.dirname, '../../fixtures/fake-server.mjs');
const OFFERS = {
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
};

/** A room whose only server is the fake one. */
async function faultyRoom(
  faults: Readonly<Record<string, unknown>>,
  { files = { 'a.txt': 'größe = 1\n' }, idleMs = 60_000 }: { files?: Record<string, string>; idleMs?: number } = {},
): Promise<ToolRoom & { readonly started: () => readonly number[] }> {
  const recorded = recordedRun();
  const definition = serverDefinitionSchema.parse({
    name: 'fake',
    languages: ['plaintext'],
    places: [{ from: 'path', command: 'node', args: [FAKE, JSON.stringify({ offers: OFFERS, ...faults })] }],
    settings: { fake: { level: 7 } },
    diagnostics: { kind: 'pull' },
    install: 'nothing',
    verified: 'never',
  });
  const room = await openToolRoom(files, (folder) => ({
    layers: {
      overStore: (store) => store,
      overBoard: () =>
        createDiagnosticsBoard({
          root: folder,
          run: recorded.run,
          clock: systemClock,
          definitions: [definition],
          timings: { initializeMs: 10_000, requestMs: 30_000, backOffMs: [5000], idleMs },
        }),
    },
  }));
  onTestFinished(() => room.close());
  return { ...room, started: () => recorded.started('fake-server').map(Number) };
}

const RANGE = { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };
const HOVER = { 'textDocument/hover': { contents: 'a size' } };
const ASK_HOVER = { operation: 'hover', filePath: 'a.txt', line: 1, symbol: 'größe' };

test(
  'each operation takes its own arguments, under the names that models use; a name needs no column',
  SLOW,
  async () => {
    // https://github.com/anthropics/claude-code/issues/30948
    const room = await openNavRoom('TypeScript 7');
    onTestFinished(() => room.close());
    const symbols = await callLoaded(room, lspTool, { op: 'workspace_symbol', query: 'meas' });
    expect(symbols.text).toContain('src/shapes.ts\n5:17  export function measure');
    const definition = await callLoaded(room, lspTool, {
      op: 'definition',
      symbol: 'Square',
      path: 'src/use.ts',
      line: 3,
    });
    expect(definition.text).toContain('src/shapes.ts\n2:14  export class Square');
    const several = await callLoaded(room, lspTool, { operation: 'hover', symbol: 'src/shapes.ts#area' });
    expect(several.text).toMatch(
      /^Error ambiguous: 2 symbols in src\/shapes\.ts are area: L1 \(Shape\/area\), L3 \(Square\/area\)\./,
    );
    const one = await callLoaded(room, lspTool, { operation: 'hover', symbol: 'src/shapes.ts#Square/area' });
    expect(one.text).toContain('Square.area(): number');
  },
);

test('a server that was not there to be found at first is found by the file that needs it', SLOW, async () => {
  // https://github.com/oraios/serena/issues/1798
  const room = await openToolRoom();
  onTestFinished(() => room.close());
  mkdirSync(join(room.folder, '.git'));
  const before = await room.call(lspTool, { operation: 'workspaceSymbol', query: 'late' });
  expect(before).toMatchObject({ ok: false, receipt: { code: 'unavailable' } });
  linkPackage(room.folder, 'typescript-7');
  await room.write({ 'tsconfig.json': '{}', 'a.ts': 'export const late = 1;\n' });
  const after = await callLoaded(room, lspTool, { operation: 'documentSymbol', filePath: 'a.ts' });
  expect(after.text).toBe('a.ts\n1 variable late\n(1 symbol)');
});

test.each([
  // https://github.com/code-yeongyu/oh-my-openagent/issues/909
  ['prints a line, speaks first, and dribbles', { stray: 'Starting...\n', says: ['one', 'größe'], dribbles: true }],
  // https://github.com/anthropics/claude-code/issues/96044
  ['asks for all sorts of things before it is ready', { asksFirst: true }],
])('a server that %s answers a hover', SLOW, async (_what, faults) => {
  const room = await faultyRoom({ ...faults, replies: HOVER });
  const hover = await callLoaded(room, lspTool, ASK_HOVER);
  expect(hover.text).toBe('a.txt:1:1 größe\na size');
});

test('a server that refuses to initialize is said with its word by every operation', SLOW, async () => {
  // https://github.com/anomalyco/opencode/issues/40413
  const room = await faultyRoom({ refuses: 'no licence' });
  for (const operation of ['documentSymbol', 'goToDefinition', 'hover']) {
    const { text } = await callLoaded(room, lspTool, { ...ASK_HOVER, operation });
    expect(text).toMatch(/^Error unavailable: fake: .*no licence/);
  }
});

test('a server that ends as it starts is said at once, with its last words, and not started again', SLOW, async () => {
  // https://github.com/code-yeongyu/oh-my-openagent/issues/6486
  const room = await faultyRoom({ exit: { afterMs: 200, code: 3, says: 'boom' } });
  const first = await callLoaded(room, lspTool, ASK_HOVER);
  expect(first.text).toMatch(/^Error unavailable: fake: .*code 3: boom/);
  const again = await room.call(lspTool, ASK_HOVER);
  expect(again.receipt.code).toBe('unavailable');
  expect(room.started()).toHaveLength(1);
});

test.each([
  ['one place', { uri: '$URI', range: RANGE }, 'a.txt\n1:1  größe = 1\n(1 NOUN in 1 file)'],
  ['a list', [{ uri: '$URI', range: RANGE }], 'a.txt\n1:1  größe = 1\n(1 NOUN in 1 file)'],
  [
    'a link',
    [{ targetUri: '$URI', targetRange: RANGE, targetSelectionRange: RANGE }],
    'a.txt\n1:1  größe = 1\n(1 NOUN in 1 file)',
  ],
  ['a place without a range', [{ uri: '$URI' }], 'a.txt\n(1 NOUN in 1 file)'],
  ['null', null, 'no NOUN for größe (a.txt:1:1), says fake'],
  ['an empty list', [], 'no NOUN for größe (a.txt:1:1), says fake'],
  [
    'a place outside',
    [{ uri: 'jdt://x/Y.class', range: RANGE }],
    'jdt://x/Y.class (library, outside the root)\n1:1\n(1 NOUN in 1 file)',
  ],
  [
    'a file that is not there',
    [{ uri: 'file:///nowhere/b.txt', range: RANGE }],
    '/nowhere/b.txt (library, outside the root)\n1:1\n(1 NOUN in 1 file)',
  ],
])('%s is told, whichever operation has it as its answer', SLOW, async (_what, reply, expected) => {
  // https://github.com/anthropics/claude-code/issues/57489
  const room = await faultyRoom({ replies: { 'textDocument/definition': reply, 'textDocument/references': reply } });
  const definition = await callLoaded(room, lspTool, { ...ASK_HOVER, operation: 'goToDefinition' });
  expect(definition.text).toBe(expected.replace('NOUN', 'definition'));
  const references = await callLoaded(room, lspTool, { ...ASK_HOVER, operation: 'findReferences' });
  expect(references.text).toBe(expected.replace('NOUN', 'reference'));
});

test.each([
  ['with a range', { uri: '$URI', range: RANGE }, 'a.txt\n1:1  größe = 1  (function größe)\n(1 symbol in 1 file)'],
  ['without one', { uri: '$URI' }, 'a.txt\n(1 symbol in 1 file)'],
])('a symbol of the workspace is told %s', SLOW, async (_what, location, expected) => {
  const room = await faultyRoom({ replies: { 'workspace/symbol': [{ name: 'größe', kind: 12, location }] } });
  const found = await callLoaded(room, lspTool, { operation: 'workspaceSymbol', query: 'gr', filePath: 'a.txt' });
  expect(found.text).toBe(expected);
});

test('a file whose uri a server spells in its own way is that file', SLOW, async () => {
  // https://github.com/denoland/deno/issues/30945
  const replies = { 'textDocument/definition': [{ uri: '$URI', range: RANGE }] };
  const room = await faultyRoom({ respells: true, replies }, { files: { 'é+x@[1].txt': 'größe = 1\n' } });
  const at = { operation: 'goToDefinition', filePath: 'é+x@[1].txt', line: 1, symbol: 'größe' };
  expect((await callLoaded(room, lspTool, at)).text).toBe('é+x@[1].txt\n1:1  größe = 1\n(1 definition in 1 file)');
  const edit = { file_path: 'é+x@[1].txt', old_string: 'größe = 1', new_string: 'größe = !2' };
  expect((await room.call(editTool, edit)).text).toContain('+ é+x@[1].txt:1:9 error !2');
});

test('a server that goes on talking is stopped all the same when nobody asks', SLOW, async () => {
  // https://github.com/anthropics/claude-code/issues/35276
  const room = await faultyRoom({ chatters: true, replies: HOVER }, { idleMs: 400 });
  expect((await callLoaded(room, lspTool, ASK_HOVER)).ok).toBe(true);
  const [pid = 0] = room.started();
  expect(await until(() => !isRunning(pid), 10_000)).toBe(true);
});

test('the fixes of what is wrong are asked for again where a server lists none at first', SLOW, async () => {
  const room = await faultyRoom(
    {
      offers: { ...OFFERS, codeActionProvider: true },
      firstReplies: { 'textDocument/codeAction': [] },
      replies: { 'textDocument/codeAction': [{ title: 'Mend it', kind: 'quickfix', edit: {} }] },
    },
    { files: { 'a.txt': 'größe !wrong\n' } },
  );
  const listed = await callLoaded(room, lspRefactorTool, { operation: 'codeAction', filePath: 'a.txt', line: 1 });
  expect(listed.text).toBe('a.txt: 1 code action; action: N applies one\n1. Mend it [quickfix]');
});
