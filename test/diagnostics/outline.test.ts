import { expect, test } from 'vitest';
import { type OutlineSymbol, readOutline } from '../../src/diagnostics/outline.ts';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const symbol = (name: string, children: readonly unknown[] = []) => ({
  ...{ name, kind: 5, range, selectionRange: range, children },
});

test('a name stands on one line, whatever a file has for a key', () => {
  const [outer] = readOutline([symbol('a\nnote: b', [symbol('c\r\u2028d')])]);
  expect(outer?.names).toEqual(['a\\nnote: b']);
  expect(outer?.children[0]?.names).toEqual(['a\\nnote: b', 'c\\r\\u2028d']);
});

test('symbols that are nested without an end are read to a depth of 100', () => {
  let item = symbol('deepest');
  for (let level = 0; level < 50_000; level += 1) item = symbol('level', [item]);
  let depth = 0;
  for (let at: readonly OutlineSymbol[] = readOutline([item]); at[0]; at = at[0].children) depth += 1;
  expect(depth).toBe(100);
});
