import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { lspTool } from '../../../src/tools/navigation/lsp.ts';
import { kindName } from '../../../src/tools/navigation/symbol-kinds.ts';
import { languageIdOf } from '../../../src/workspace/document-snapshot.ts';
import { readCalls, readPlaces, readServerSymbols } from '../../../src/workspace/navigation/read-places.ts';
import { pathOfUri, uriOfPath } from '../../../src/workspace/uri.ts';
import type { BareClient } from '../../bench/bare-client.ts';
import {
  bareClientBeside,
  callLoaded,
  NAV_PROJECTS,
  type NavProject,
  type NavProjectName,
  openNavRoom,
} from '../../support/nav-projects.ts';
import type { ToolRoom } from '../../support/tool-room.ts';

const SLOW = { timeout: 120_000 };

/**
 * Where a server has no answer, and what is said instead of its silence. Everything else is what a bare client hears,
 * but for the order, which is ours, and places that a server names twice, which are shown once.
 */
const WITHOUT_ANSWER: Readonly<Partial<Record<NavProjectName, Readonly<Record<string, string>>>>> = {
  // Its capabilities have no implementationProvider, and it refuses the request.
  pyright: { goToImplementation: 'Error unavailable: pyright 1.1.414: it does not offer implementation.' },
  clangd: {
    // C has no implementations: the server's list is empty, and it is said whose.
    goToImplementation: 'no implementation for Shape (more.c:1:8), says clangd 19.1.7',
    // It offers the call hierarchy, but refuses this half of it before version 20.
    outgoingCalls: 'Error unavailable: clangd 19.1.7: method not found.',
  },
  'clangd, C++': { outgoingCalls: 'Error unavailable: clangd 19.1.7: method not found.' },
};

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

interface Symbol {
  readonly name: string;
  readonly kind: number;
  readonly range?: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly location?: { readonly range: NonNullable<Symbol['range']> };
  readonly children?: readonly Symbol[];
}

/** `41-63 method check` of every symbol, whatever lies in what. */
function outlineRows(symbols: readonly Symbol[]): string[] {
  return symbols
    .flatMap((symbol): string[] => {
      const { start, end } = symbol.range ?? symbol.location?.range ?? { start: { line: 0 }, end: { line: 0 } };
      const lines = start.line === end.line ? `${start.line + 1}` : `${start.line + 1}-${end.line + 1}`;
      return [`${lines} ${kindName(symbol.kind)} ${symbol.name}`, ...outlineRows(symbol.children ?? [])];
    })
    .sort();
}

describe.each(Object.keys(NAV_PROJECTS) as NavProjectName[])('%s', (name) => {
  const { uses, declares, types, files }: NavProject = NAV_PROJECTS[name];
  let room: ToolRoom;
  let bare: BareClient;

  /** 0-based place of the n-th time that a text stands in a file. */
  const placeOf = (file: string, text: string, nth = 0): { line: number; character: number } => {
    const before = (files[file] ?? '')
      .split(text, nth + 1)
      .join(text)
      .split('\r\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  };
  const shown = (uri: string): string => (pathOfUri(uri) ?? uri).replace(`${room.folder}/`, '');
  const barePlace = (uri: string, start: { line: number; character: number } | undefined): string =>
    `${shown(uri)}:${(start?.line ?? 0) + 1}:${(start?.character ?? 0) + 1}`;
  type At = { readonly file: string; readonly line: number; readonly character: number };
  const bareAt = (method: string, { file, ...position }: At, more: object = {}): Promise<unknown> =>
    bare.request(method, { textDocument: { uri: uriOfPath(join(room.folder, file)) }, position, ...more });
  const ours = (operation: string, { file, line, character }: At, more: object = {}) =>
    callLoaded(room, lspTool, { operation, filePath: file, line: line + 1, character: character + 1, ...more });
  const nothing = (): undefined => undefined;
  const expectAnswer = (operation: string, text: string, places: readonly string[]): void => {
    const without = WITHOUT_ANSWER[name]?.[operation];
    if (without === undefined) expect(places.length).toBeGreaterThan(0);
    else expect(text).toBe(without);
  };
  const call: At = { file: uses, ...placeOf(uses, 'measure(') };
  const caller: At = { file: uses, ...placeOf(uses, 'caller(') };
  const box: At = { file: types, ...placeOf(types, 'box') };
  const shape: At = { file: types, ...placeOf(types, 'Shape') };

  beforeAll(async () => {
    room = await openNavRoom(name);
    const first = await callLoaded(room, lspTool, { operation: 'findReferences', symbol: `${uses}#measure` });
    expect(first.ok).toBe(true);
    ({ bare } = await bareClientBeside(room.root));
    // clangd knows what is open.
    const all = Object.keys(files).filter((file) => /\.(?:ts|py|c|h|cpp|go)$/.test(file));
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
    ['goToDefinition', 'textDocument/definition', call],
    ['findReferences', 'textDocument/references', call],
    ['typeDefinition', 'textDocument/typeDefinition', box],
    ['goToImplementation', 'textDocument/implementation', shape],
  ] as const)('%s says what a bare client hears', SLOW, async (operation, method, at) => {
    const { text } = await ours(operation, at);
    const heard = await bareAt(method, at, { context: { includeDeclaration: true } }).catch(nothing);
    const places = readPlaces(heard).map(({ uri, range }) => barePlace(uri, range?.start));
    expect(placesIn(text)).toEqual(places.sort());
    expectAnswer(operation, text, places);
  });

  test('the call hierarchy is the one that a bare client hears', SLOW, async () => {
    const items = (await bareAt('textDocument/prepareCallHierarchy', caller)) as unknown[];
    const prepared = await ours('prepareCallHierarchy', caller);
    const own = readServerSymbols(items).map(({ uri, range }) => barePlace(uri, range?.start));
    expect(placesIn(prepared.text)).toEqual(own);
    expectAnswer('prepareCallHierarchy', prepared.text, own);

    const out = readCalls(await bare.request('callHierarchy/outgoingCalls', { item: items[0] }).catch(nothing));
    const called = await ours('outgoingCalls', caller);
    const callees = out.map(({ symbol: { uri, range } }) => barePlace(uri, range?.start));
    expect(placesIn(called.text)).toEqual(callees.sort());
    expectAnswer('outgoingCalls', called.text, callees);
    for (const { symbol, ranges } of out)
      expect(called.text).toContain(`(${symbol.name}, called at L${(ranges[0]?.start.line ?? 0) + 1})`);

    const [item] = (await bareAt('textDocument/prepareCallHierarchy', call)) as unknown[];
    const calls = readCalls(await bare.request('callHierarchy/incomingCalls', { item }));
    const callers = calls.flatMap(({ symbol, ranges }) => ranges.map(({ start }) => barePlace(symbol.uri, start)));
    const incoming = await ours('incomingCalls', call);
    expect(placesIn(incoming.text)).toEqual(callers.sort());
    expectAnswer('incomingCalls', incoming.text, callers);
    expect(incoming.text).toContain('(in caller)');
  });

  test('hover shows what a bare client hears, without its fences', SLOW, async () => {
    const { contents } = (await bareAt('textDocument/hover', call)) as { contents: { value: string } | string[] };
    const value = 'value' in contents ? contents.value : contents.map((part) => JSON.stringify(part)).join('\n');
    const lines = value.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('```'));
    const { text } = await ours('hover', call);
    expect(text.split('\n')[0]).toBe(`${uses}:${call.line + 1}:${call.character + 1} measure`);
    for (const line of lines) expect(text).toContain(line.trim());
    expect(text).toContain('measure(');
  });

  test('symbols are those that a bare client hears', SLOW, async () => {
    const textDocument = { uri: uriOfPath(join(room.folder, declares)) };
    const heard = (await bare.request('textDocument/documentSymbol', { textDocument })) as Symbol[];
    const outline = await callLoaded(room, lspTool, { operation: 'documentSymbol', filePath: declares });
    const rows = outline.text.split('\n').slice(1, -1);
    expect(rows.map((row) => row.trim()).sort()).toEqual(outlineRows(heard));
    expect(outline.text).toMatch(/function measure/);

    const found = await callLoaded(room, lspTool, { operation: 'workspaceSymbol', query: 'measure' });
    // The bare client's server may still be at its index.
    const heardOf = async (): Promise<readonly string[]> => {
      const all = readServerSymbols(await bare.request('workspace/symbol', { query: 'measure' }));
      return all.map(({ uri, range }) => barePlace(uri, range?.start)).sort();
    };
    await expect.poll(heardOf, { timeout: 60_000 }).toEqual(placesIn(found.text));
    expect(found.text).toMatch(/function (?:example\.com\/shapes\/)?measure\)/);
    const none = await callLoaded(room, lspTool, { operation: 'hover', symbol: `${declares}#nowhere` });
    expect(none).toMatchObject({ ok: false, receipt: { code: 'not_found' } });
  });

  test('a name, a wrong column and the right one lead to the same place', SLOW, async () => {
    const right = await ours('goToDefinition', call);
    const named = await ours('goToDefinition', call, { character: undefined, symbol: 'measure' });
    const before = await ours('goToDefinition', { ...call, character: call.character - 2 }, { symbol: 'measure' });
    expect(placesIn(named.text)).toEqual(placesIn(right.text));
    expect(placesIn(before.text)).toEqual(placesIn(right.text));
    expect(before.text).toContain(`note: taken for measure at ${call.line + 1}:${call.character + 1}`);
  });
});

test.each([
  ['gopls', 'shapes.go#Square/Area', 'shapes.go\n7:15  func (Square) Area() int { return 4 }'],
  ['clangd, C++', 'shapes.cpp#Square::area', 'shapes.cpp\n2:13  int Square::area() const { return 4; }'],
] as const)('a method that %s names with its owner is found by both names', SLOW, async (name, symbol, place) => {
  const room = await openNavRoom(name);
  onTestFinished(() => room.close());
  const found = await callLoaded(room, lspTool, { operation: 'findReferences', symbol });
  expect(found.text).toContain(place);
  const anywhere = await callLoaded(room, lspTool, { operation: 'findReferences', symbol: symbol.replace(/.*#/, '') });
  expect(anywhere.text).toContain(place);
});
