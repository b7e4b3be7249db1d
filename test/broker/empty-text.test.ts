import { expect, test } from 'vitest';
import { replace } from '../../src/broker/replace.ts';

test.each([
  ['an empty text', '', false, 'x'],
  ['an empty text, every occurrence', '', true, 'x'],
  ['a text of a byte order mark alone', '\ufeff', true, '\ufeffx'],
])('an empty old_string fills %s once', (_what, text, replaceAll, after) => {
  expect(replace(text, '', 'x', { replaceAll })).toMatchObject({ status: 'applied', text: after });
});

test.each([false, true])('an empty old_string is refused where there is text (replace_all: %s)', (replaceAll) => {
  expect(replace('a\n', '', 'x', { replaceAll })).toMatchObject({ status: 'refused', code: 'empty_old' });
});
