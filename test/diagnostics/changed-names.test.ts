import { describe, expect, test } from 'vitest';
import { changedNames, type TouchedText } from '../../src/diagnostics/changed-names.ts';
import type { OutlineSymbol } from '../../src/diagnostics/outline.ts';
import { keyOf, touchedSymbols } from '../../src/diagnostics/touched-symbols.ts';

const CLASS = 5;
const METHOD = 6;
const FUNCTION = 12;

function symbol(
  name: string,
  kind: number,
  lines: readonly [number, number],
  outer: readonly string[] = [],
): OutlineSymbol {
  const [firstLine, lastLine] = lines;
  return {
    names: [...outer, name],
    kind,
    firstLine,
    lastLine,
    namePosition: { line: firstLine, character: 0 },
    children: [],
  };
}

const outline: readonly OutlineSymbol[] = [
  symbol('f', FUNCTION, [1, 3]),
  {
    ...symbol('Box', CLASS, [5, 11]),
    children: [symbol('open', METHOD, [6, 8], ['Box']), symbol('shut', METHOD, [9, 10], ['Box'])],
  },
  symbol('inner', FUNCTION, [13, 14]),
];
const TEXT = [
  "import { x } from './x';",
  'export function f(a: number) {',
  '  return a;',
  '}',
  '',
  'export class Box {',
  '  open() {',
  '    return 1;',
  '  }',
  '  shut() {',
  '  }',
  '}',
  '',
  'function inner() {',
  '}',
  "export { other } from './other';",
].join('\n');

const touched = (line: number, hover: string, symbols = outline): TouchedText => {
  const lines = [{ first: line, last: line }];
  const hovers = new Map(touchedSymbols(symbols, lines).map((one) => [keyOf(one), hover]));
  return { text: TEXT, outline: symbols, lines, hovers };
};
const file = { languageId: 'typescript', path: '/p/a.ts' };
const names = (before: TouchedText, after: TouchedText): readonly string[] =>
  [...changedNames(before, after, file)].sort();

describe('changedNames', () => {
  test.each([
    ['a body under the same type', 2, 'number', 'number', []],
    ['a type that changed', 2, 'number', 'string', ['f']],
    ['a type that is shown in part', 2, 'a | ...', 'a | ...', ['f']],
    ['a method, with its class', 7, 'number', 'string', ['Box', 'open']],
    ['a line of a class that is no member', 11, '', '', ['Box']],
    ['a function that is not exported', 13, 'number', 'string', []],
    ['a line outside every symbol', 4, '', '', []],
    ['a re-export', 15, '', '', ['other']],
  ] as const)('%s', (_what, line, before, after, expected) => {
    expect(names(touched(line, before), touched(line, after))).toEqual(expected);
  });

  test('what is gone and what is new count, whatever their types', () => {
    const renamed = outline.map((one) => (one.names[0] === 'f' ? symbol('g', FUNCTION, [1, 3]) : one));
    const text = TEXT.replace('function f', 'function g');
    const after = { ...touched(1, 'number', renamed), text };
    expect(names(touched(1, 'number'), after)).toEqual(['f', 'g']);
  });

  test('in Python everything at the top is seen by others', () => {
    const seen = changedNames(touched(13, 'int'), touched(13, 'str'), { languageId: 'python', path: '/p/a.py' });
    expect([...seen]).toEqual(['inner']);
  });
});
