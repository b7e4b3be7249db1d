import { expect, test } from 'vitest';
import { enclosingSymbol } from '../../../src/broker/match/enclosing-symbol.ts';

test.each([
  ['a member', 'class A {\n  run() {\n    X\n  }\n}\n', 'run'],
  ['a line that names itself', 'struct A { int a; };\nint X(int a) {\n', 'X'],
  ['a declaration of one line above', 'struct A { int a; };\nint b = X;\n', undefined],
  ['a heading above', '# Title\nX\n', 'Title'],
  ['the end of another above', 'function a() {\n}\nX\n', undefined],
])('what a line lies in is told by its indentation: %s', (_what, text, name) => {
  expect(enclosingSymbol(text, text.indexOf('X'))).toBe(name);
});
