import { expect, test } from 'vitest';
import { withoutRivals } from '../../../src/tools/navigation/refactor/without-rivals.ts';

const TEXT = "import './a.js';\n";
const path = (newText: string) => ({ start: 8, end: 14, newText });

test.each([
  ['of paths that ends as the old one', 'paths', ['./b.ts', './b.js', './b'], ['./b.js']],
  ['of paths the first, where none does', 'paths', ['./b.ts', './b.mts'], ['./b.ts']],
  ['of other edits each that is another', 'others', ['x', 'x', 'y'], ['x', 'y']],
] as const)('of edits of one place stays: %s', (_which, are, texts, left) => {
  expect(withoutRivals(TEXT, texts.map(path), are)).toEqual(left.map(path));
});

test('what is written in twice at one place stays twice', () => {
  const twice = [{ start: 8, end: 8, newText: '/' }];
  expect(withoutRivals(TEXT, [...twice, ...twice], 'paths')).toHaveLength(2);
});
