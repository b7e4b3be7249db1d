import { expect, test } from 'vitest';
import { replace } from '../../../src/broker/replace.ts';

test.each([
  ['has blanks', 'one();\n    \n', 'line-trimmed'],
  ['has none', 'one();\n\n', 'exact'],
])('where the blank line that ends old_string %s in the file the match says so', (_what, file, matchedVia) => {
  expect(replace(file, 'one();\n\n', 'one();\ntwo();\n\n')).toMatchObject({ status: 'applied', matchedVia });
});

test.each([
  ['has blanks', '\n    \none();\n', 'line-trimmed'],
  ['has none', '\n\none();\n', 'exact'],
])('where the blank line that begins old_string %s in the file the match says so', (_what, file, matchedVia) => {
  expect(replace(file, '\n\none();', '\n\ntwo();\none();')).toMatchObject({ status: 'applied', matchedVia });
});
