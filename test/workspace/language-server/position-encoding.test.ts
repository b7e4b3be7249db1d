import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { positionAt, toUtf16Range } from '../../../src/workspace/language-server/position-encoding.ts';

const text = fc
  .array(fc.constantFrom('a', '\n', '\r\n', 'é', '😀', '日'), { maxLength: 30 })
  .map((parts) => parts.join(''));

describe.each(['utf-16', 'utf-8', 'utf-32'] as const)('positions in %s', (encoding) => {
  test('round-trip at every whole symbol', () => {
    fc.assert(
      fc.property(text, (value) => {
        const document = TextDocument.create('file:///a', 'plaintext', 1, value);
        let offset = 0;
        for (const symbol of value) {
          const there = document.positionAt(offset);
          const sent = positionAt(document, offset, encoding);
          expect(toUtf16Range(document, { start: sent, end: sent }, encoding).start).toEqual(there);
          offset += symbol.length;
        }
      }),
    );
  });
});
