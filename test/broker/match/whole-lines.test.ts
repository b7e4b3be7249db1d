import { expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

const text = 'if a:\n    del x\n    del z\n    keep(y)\n';

test.each([
  ['with its line end', 'del x\n', 'if a:\n    del z\n    keep(y)\n'],
  ['without it', 'del x', 'if a:\n    del z\n    keep(y)\n'],
  ['with a part of its indentation', '  del x\n', 'if a:\n    del z\n    keep(y)\n'],
  ['and the next with its own', 'del x\n    del z\n', 'if a:\n    keep(y)\n'],
  ['as the last line', 'keep(y)', 'if a:\n    del x\n    del z\n'],
])('a line deleted %s leaves none of its indentation before the next', (_what, oldString, after) => {
  expect(replace(text, oldString, '')).toMatchObject({ status: 'applied', matchedVia: 'exact', text: after });
});

test('the same in every place, in CRLF', () => {
  const lines = text.replaceAll('\n', '\r\n');
  const doubled = lines + lines;
  expect(replace(doubled, 'del x\n', '', { replaceAll: true })).toMatchObject({
    text: doubled.replaceAll('    del x\r\n', ''),
  });
});

test('a part of a line that is deleted leaves the rest', () => {
  expect(replace(text, 'del x\n    del ', '')).toMatchObject({ text: 'if a:\n    z\n    keep(y)\n' });
});
