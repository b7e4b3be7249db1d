import { expect, test } from 'vitest';
import { namesInServerName, readSymbolName } from '../../../src/workspace/navigation/symbol-name.ts';

test.each([
  ['check', undefined, ['check']],
  ['Token/check', undefined, ['Token', 'check']],
  ['Token.check', undefined, ['Token', 'check']],
  ['Token#check', undefined, ['Token', 'check']],
  ['std::vector', undefined, ['std', 'vector']],
  ['Token/#secret', undefined, ['Token', '#secret']],
  ['#secret', undefined, ['#secret']],
  ['check()', undefined, ['check']],
  ['src/auth.ts#check', 'src/auth.ts', ['check']],
  ['auth.ts#Token/check', 'auth.ts', ['Token', 'check']],
  ['auth.ts#Token/#secret', 'auth.ts', ['Token', '#secret']],
  [' größe ', undefined, ['größe']],
  ['Map<string, A.B<C>>/get', undefined, ['Map', 'get']],
  ['Effect.gen<A, E>(f: () => Effect<A>)', undefined, ['Effect', 'gen']],
  ['operator<', undefined, ['operator<']],
])('%s is a symbol in %s', (text, file, names) => {
  expect(readSymbolName(text)).toEqual({ file, names });
});

test.each(['', '  ', '/', 'a.ts#', '#', '.', '../..', 'a\0b', 'a\nb', 'x'.repeat(501)])('%j names nothing', (text) => {
  expect(readSymbolName(text)).toBeUndefined();
});

test.each([
  ['measure', ['measure']],
  ['measure(Shape) const', ['measure(Shape) const']],
  ['area(int)', ['area']],
  ['(Square).Area', ['Square', 'Area']],
  ['(*Square).Area', ['Square', 'Area']],
  ['example.com/shapes.Square.Area', ['example', 'com', 'shapes', 'Square', 'Area']],
  ['Square::area', ['Square', 'area']],
  ['Box<T>::area', ['Box', 'area']],
  ['impl Square', ['Square']],
  ['impl<T> Shape<T> for Square<T>', ['Square']],
  ['implicit', ['implicit']],
  ['...', ['...']],
  ['(anonymous)', ['(anonymous)']],
])('a server means by %s', (text, names) => {
  expect(namesInServerName(text)).toEqual(names);
});
