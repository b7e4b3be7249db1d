import { expect, test } from 'vitest';
import { hasAddedLines } from '../../../src/broker/patch/has-added-lines.ts';
import type { PatchHunk } from '../../../src/broker/patch/patch.ts';

const hunk: PatchHunk = {
  line: 1,
  headers: [],
  isAtEnd: false,
  lines: [
    { sign: ' ', text: 'kept' },
    { sign: '-', text: 'const a = "x";' },
    { sign: '+', text: "    const a = 'x' - 1;" },
  ],
};

test.each([
  ['as it is written', "kept\n    const a = 'x' - 1;\n", true],
  ['in the indentation of the file', "kept\n\tconst a = 'x' - 1;\n", true],
  ['with its look-alikes', 'kept\n    const a = ‘x’ – 1;\n', true],
  ['with other quotes', 'kept\n    const a = "x" - 1;\n', false],
  ['not at all', 'kept\n', false],
])('a line that comes stands there %s', (_how, after, isThere) => {
  expect(hasAddedLines(after, hunk, 'block-anchor')).toBe(isThere);
});
