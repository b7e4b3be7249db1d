import { expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

test.each([
  ['a line end put in behind a lone CR', 'one\n two\rthree\n', 'three', '\nthree', 'one\n two\r\rthree\n'],
  ['a CR that new_string ends in, before an LF', 'one\n two\rthree\n', 'three', 'three\r', 'one\n two\rthree\n\n'],
  ['blanks of a blank line dropped between the two', 'one\n two\r \n', '\r ', '\r', 'one\n two\n\n'],
  ['the same where old_string drifted', 'one\n two\r  aaaa (b)\n', 'aaaa(b)', '\naaaa(b)', 'one\n two\r\r  aaaa (b)\n'],
  ['a whole line dropped between the two', 'one\n two\rxxxx\n', 'xxxx', '', 'one\n two\r'],
])('%s makes no one line end of two', (_what, text, oldString, newString, after) => {
  expect(replace(text, oldString, newString)).toMatchObject({ status: 'applied', text: after });
});
