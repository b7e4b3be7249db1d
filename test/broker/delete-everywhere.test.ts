import { expect, test } from 'vitest';
import { replace } from '../../src/broker/replace.ts';

test.each([
  ['lines that are the whole text', 'ab\nab', 'ab', '', ''],
  ['lines at the end of a text', 'x\nab\nab', 'ab', '', 'x\n'],
  ['lines with CRLF', 'x\r\nab\r\nab', 'ab', '', 'x\r\n'],
  ['lines with the line ends before them', '\nab\nab\n', '\nab', '', '\n'],
  ['lines with other blanks', '\t\t\n \r\n\t# note\r\n  # note', '\n\n# note ', '\n', undefined],
])('every one of %s that meet is deleted, and each line end once', (_what, text, oldString, newString, after) => {
  const result = replace(text, oldString, newString, { replaceAll: true, path: 'a.ts' });
  expect(result.status).toBe('applied');
  if (result.status === 'applied' && after !== undefined) expect(result.text).toBe(after);
});
