import { expect, test } from 'vitest';
import { readSymbolName } from '../../../src/workspace/navigation/symbol-name.ts';

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
])('%s is a symbol in %s', (text, file, names) => {
  expect(readSymbolName(text)).toEqual({ file, names });
});

test.each(['', '  ', '/', 'a.ts#'])('%j names nothing', (text) => {
  expect(readSymbolName(text)).toBeUndefined();
});
