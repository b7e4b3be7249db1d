import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { contentChanges, differenceOf } from '../../../src/workspace/language-server/content-change.ts';
import type { SpanEdit } from '../../../src/workspace/span.ts';
import { applySpanEdits } from '../../../src/workspace/span.ts';

const document = (text: string): TextDocument => TextDocument.create('file:///a.ts', 'typescript', 1, text);
const pieces = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '\r', 'é', '😀', '日'), { maxLength: 30 });
const text = pieces.map((parts) => parts.join(''));
const editsOf = (length: number): fc.Arbitrary<readonly SpanEdit[]> =>
  fc
    .uniqueArray(fc.tuple(fc.nat(length), fc.nat(4), text), { maxLength: 4, selector: ([start]) => start })
    .map((items) => {
      const edits: SpanEdit[] = [];
      for (const [start, size, newText] of items.sort((a, b) => a[0] - b[0])) {
        if (start >= (edits.at(-1)?.end ?? 0)) edits.push({ start, end: Math.min(length, start + size), newText });
      }
      return edits;
    });

/** As a server does it: one change after the other, each on the result of the one before. */
function served(before: string, after: string, edits?: readonly SpanEdit[]): string {
  const changes = contentChanges(document(before), after, { encoding: 'utf-16', edits });
  if (!changes) throw new Error('the whole text would go');
  return TextDocument.update(document(before), [...changes], 2).getText();
}

describe('contentChanges', () => {
  test('a server that follows them has the text after, without edits and with them', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(served(before, after)).toBe(after);
      }),
    );
    fc.assert(
      fc.property(
        text.chain((before) => fc.tuple(fc.constant(before), editsOf(before.length))),
        ([before, edits]) => {
          const after = applySpanEdits(before, edits);
          expect(served(before, after, edits)).toBe(after);
        },
      ),
    );
  });

  test('edits that do not lead to the text after are not followed', () => {
    expect(served('one two', 'one three', [{ start: 0, end: 3, newText: 'wrong' }])).toBe('one three');
  });

  test.each([
    ['a change of line ends', 'a\r\nb', 'a\nb'],
    ['the other way', 'a\nb', 'a\r\nb'],
    ['half of a surrogate pair in common', 'x😀y', 'x😂y'],
  ])('%s never names a place inside a pair', (_what, before, after) => {
    expect(served(before, after)).toBe(after);
  });

  test.each(['\u2028', '\u2029'])(
    'a text with %j goes whole: servers count its lines in different ways',
    (separator) => {
      expect(contentChanges(document('a'), `a${separator}`, { encoding: 'utf-16' })).toBeUndefined();
      expect(contentChanges(document(`a${separator}`), 'a', { encoding: 'utf-16' })).toBeUndefined();
    },
  );

  test('positions count as the server does', () => {
    const at = (encoding: 'utf-16' | 'utf-8' | 'utf-32'): unknown =>
      contentChanges(document('é😀x'), 'é😀', { encoding })?.[0]?.range.start;
    expect([at('utf-16'), at('utf-8'), at('utf-32')]).toEqual([
      { line: 0, character: 3 },
      { line: 0, character: 6 },
      { line: 0, character: 2 },
    ]);
  });

  test('the difference of equal texts is empty', () => {
    expect(differenceOf('same', 'same')).toEqual({ start: 4, end: 4, newText: '' });
  });
});
