import { expect, onTestFinished, test, vi } from 'vitest';
import { lspTool } from '../../../src/tools/navigation/lsp.ts';
import { outlineText } from '../../../src/tools/navigation/symbols-text.ts';
import { callLoaded, openNavRoom } from '../../support/nav-projects.ts';

const SLOW = { timeout: 180_000 };

test('uses in files that were not looked into are said to be left', SLOW, async () => {
  const users = Object.fromEntries(
    Array.from({ length: 45 }, (_, n) => [
      `u${n}.c`,
      `#include "shapes.h"\nint u${n}(void) { return measure(${n}); }\n`,
    ]),
  );
  const room = await openNavRoom('clangd', users);
  onTestFinished(() => room.close());
  const found = await callLoaded(room, lspTool, { operation: 'findReferences', symbol: 'shapes.c#measure' });
  expect(found.text).toMatch(/\(\d more files have measure and were not looked into; Grep finds them\)$/);
  expect(found.receipt.complete).toBe(false);
});

test('an answer that shows a part of the places is not complete', SLOW, async () => {
  const many = `import { measure, Square } from './shapes.js';\n${'measure(new Square());\n'.repeat(120)}`;
  const room = await openNavRoom('TypeScript 7', { 'src/many.ts': many });
  onTestFinished(() => room.close());
  const at = { operation: 'findReferences', symbol: 'src/shapes.ts#measure' };
  const found = await callLoaded(room, lspTool, at);
  expect(found.text).toContain('(100 of 1');
  expect(found.receipt.complete).toBe(false);
});

test('a server that could not be asked is named where others know no symbol', SLOW, async () => {
  const room = await openNavRoom('TypeScript 7', { 'main.go': 'package main\n' });
  onTestFinished(() => room.close());
  const { diagnostics } = room.root;
  const ask = diagnostics.ask.bind(diagnostics);
  vi.spyOn(diagnostics, 'ask').mockImplementation((question, signal) =>
    question.file.languageId === 'go'
      ? Promise.resolve({ status: 'unavailable', server: 'gopls', reason: 'it did not start: no go' })
      : ask(question, signal),
  );
  await callLoaded(room, lspTool, { operation: 'hover', symbol: 'src/shapes.ts#measure' });
  const found = await callLoaded(room, lspTool, { operation: 'workspaceSymbol', query: 'Frobnicate' });
  expect(found.text).toContain('gopls could not be asked: it did not start: no go. Use Grep for its files.');
  expect(found.text).not.toContain('no symbol matches');
  expect(found.receipt.complete).toBe(false);
});

test('a name of any length is one short line of an outline', () => {
  const at = { line: 0, character: 0 };
  const symbol = { names: ['x'.repeat(100_000)], kind: 7, firstLine: 0, lastLine: 0, namePosition: at, children: [] };
  expect(outlineText([symbol], 'a.json').text.length).toBeLessThan(500);
});
