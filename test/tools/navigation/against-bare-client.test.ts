import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lspTool } from '../../../src/tools/navigation/lsp.ts';
import { languageIdOf } from '../../../src/workspace/document-snapshot.ts';
import { readCalls, readPlaces } from '../../../src/workspace/navigation/read-places.ts';
import { pathOfUri, uriOfPath } from '../../../src/workspace/uri.ts';
import type { BareClient } from '../../bench/bare-client.ts';
import {
  bareClientBeside,
  callLoaded,
  NAV_PROJECTS,
  type NavProjectName,
  openNavRoom,
} from '../../support/nav-projects.ts';
import type { ToolRoom } from '../../support/tool-room.ts';

const SLOW = { timeout: 120_000 };

/** `path:line:column` of every place in an answer. */
function placesIn(text: string): string[] {
  let file = '';
  return text
    .split('\n')
    .flatMap((row) => {
      const match = /^(\d+):([\d,]+)(?: |$)/.exec(row);
      if (!match) {
        file = row.replace(/ \(library.*\)$/, '');
        return [];
      }
      return (match[2] ?? '').split(',').map((column) => `${file}:${match[1]}:${column}`);
    })
    .sort();
}

describe.each(Object.keys(NAV_PROJECTS) as NavProjectName[])('%s', (name) => {
  const { uses, declares } = NAV_PROJECTS[name];
  let room: ToolRoom;
  let bare: BareClient;
  let at: { readonly line: number; readonly character: number };

  const shown = (uri: string): string => (pathOfUri(uri) ?? uri).replace(`${room.folder}/`, '');
  const bareAt = async (method: string, more: object = {}): Promise<unknown> =>
    bare.request(method, { textDocument: { uri: uriOfPath(join(room.folder, uses)) }, position: at, ...more });
  const barePlaces = async (method: string): Promise<string[]> =>
    readPlaces(await bareAt(method, { context: { includeDeclaration: true } }))
      .map(({ uri, range }) => `${shown(uri)}:${(range?.start.line ?? 0) + 1}:${(range?.start.character ?? 0) + 1}`)
      .sort();
  const ours = (operation: string, more: object = {}) =>
    callLoaded(room, lspTool, { operation, filePath: uses, line: at.line + 1, character: at.character + 1, ...more });

  beforeAll(async () => {
    room = await openNavRoom(name);
    const text = readFileSync(join(room.folder, uses), 'utf8');
    const lines = text.split('\r\n');
    const line = lines.findIndex((one) => /measure\((?:new|Shape\(|1)/.test(one));
    at = { line, character: lines[line]?.indexOf('measure(') ?? 0 };
    const first = await callLoaded(room, lspTool, { operation: 'findReferences', symbol: `${uses}#measure` });
    expect(first.ok).toBe(true);
    ({ bare } = await bareClientBeside(room.root));
    // clangd knows what is open.
    const all = name === 'clangd' ? ['shapes.c', 'shapes.h', uses] : [uses];
    for (const file of all) {
      const path = join(room.folder, file);
      await bare.open(path, languageIdOf(path), readFileSync(path, 'utf8'));
      await bare.request('textDocument/documentSymbol', { textDocument: { uri: uriOfPath(path) } });
    }
  }, 240_000);
  afterAll(async () => {
    bare?.stop();
    await room?.close();
  });

  test.each([
    ['goToDefinition', 'textDocument/definition'],
    ['findReferences', 'textDocument/references'],
  ])('%s says what a bare client hears', SLOW, async (operation, method) => {
    const { ok, text } = await ours(operation);
    expect(ok).toBe(true);
    const places = placesIn(text);
    expect(places).toEqual(await barePlaces(method));
    expect(places.length).toBeGreaterThan(0);
  });

  test('incomingCalls says what a bare client hears', SLOW, async () => {
    const [item] = (await bareAt('textDocument/prepareCallHierarchy')) as unknown[];
    const calls = readCalls(await bare.request('callHierarchy/incomingCalls', { item }));
    const expected = calls
      .flatMap(({ symbol, ranges }) =>
        ranges.map(({ start }) => `${shown(symbol.uri)}:${start.line + 1}:${start.character + 1}`),
      )
      .sort();
    const { text } = await ours('incomingCalls');
    expect(placesIn(text)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
    expect(text).toContain('(in caller)');
  });

  test('a name, a wrong column and the right one lead to the same place', SLOW, async () => {
    const right = await ours('goToDefinition');
    const named = await ours('goToDefinition', { character: undefined, symbol: 'measure' });
    const before = await ours('goToDefinition', { character: at.character - 1, symbol: 'measure' });
    expect(placesIn(named.text)).toEqual(placesIn(right.text));
    expect(placesIn(before.text)).toEqual(placesIn(right.text));
    expect(before.text).toContain(`note: taken for measure at ${at.line + 1}:${at.character + 1}`);
    expect((await ours('hover')).text).toMatch(/^\S+ measure\n[\s\S]*measure\(/);
  });

  test('the outline has the symbols, and a name that is not there is said', SLOW, async () => {
    const outline = await callLoaded(room, lspTool, { operation: 'documentSymbol', filePath: declares });
    expect(outline.text).toMatch(/function measure/);
    const found = await callLoaded(room, lspTool, { operation: 'workspaceSymbol', query: 'measure' });
    expect(found.text).toContain('function measure');
    const none = await callLoaded(room, lspTool, { operation: 'hover', symbol: `${declares}#nowhere` });
    expect(none).toMatchObject({ ok: false, receipt: { code: 'not_found' } });
  });
});
