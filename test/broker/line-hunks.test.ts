import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { lineHunks, splitLines } from '../../src/broker/line-hunks.ts';
import { snippetOf } from '../../src/broker/snippet.ts';
import { unifiedDiff } from '../../src/broker/unified-diff.ts';
import { applySpanEdits, invertSpanEdits, type SpanEdit } from '../../src/workspace/span.ts';

const document = (text: string): TextDocument => TextDocument.create('file:///a.ts', 'typescript', 1, text);

/** Replaces the one occurrence of `from`. */
function edit(text: string, from: string, to: string): SpanEdit {
  const start = text.indexOf(from);
  return { start, end: start + from.length, newText: to };
}

describe('lineHunks', () => {
  const five = 'one\ntwo\nthree\nfour\nfive\n';
  test.each([
    ['a word in a line', five, [edit(five, 'three', 'THREE')], [{ old: [3, 1], new: [3, 1] }]],
    ['a line put in', five, [edit(five, 'three\n', 'three\nmore\n')], [{ old: [4, 0], new: [4, 1] }]],
    ['a line taken out', five, [edit(five, 'three\n', '')], [{ old: [3, 1], new: [3, 0] }]],
    ['two lines that touch', five, [edit(five, 'two', '2'), edit(five, 'three', '3')], [{ old: [2, 2], new: [2, 2] }]],
    [
      'two places apart, the second shifted by the first',
      five,
      [edit(five, 'one\n', 'one\n1.5\n'), edit(five, 'five', '5')],
      [
        { old: [2, 0], new: [2, 1] },
        { old: [5, 1], new: [6, 1] },
      ],
    ],
    ['a last line without a newline', 'a\nb', [edit('a\nb', 'b', 'c')], [{ old: [2, 1], new: [2, 1] }]],
    ['text put into an empty file', '', [{ start: 0, end: 0, newText: 'a\nb\n' }], [{ old: [1, 0], new: [1, 2] }]],
    ['CRLF lines', 'a\r\nb\r\n', [edit('a\r\nb\r\n', 'b', 'c')], [{ old: [2, 1], new: [2, 1] }]],
    ['CR lines', 'a\rb\r', [edit('a\rb\r', 'b', 'c')], [{ old: [2, 1], new: [2, 1] }]],
    ['an edit that changes nothing', five, [edit(five, 'two', 'two')], []],
  ])('names the lines of %s', (_what, text, edits, expected) => {
    expect(lineHunks(document(text), edits).map(({ old, new: after }) => ({ old, new: after }))).toEqual(expected);
  });
});

/** A text of short lines and a list of edits of it that do not overlap. */
const change = fc.array(fc.stringMatching(/^[ab😀 ]{0,4}(\n|\r\n)?$/u), { maxLength: 25 }).chain((lines) => {
  const text = lines.join('');
  return fc.tuple(
    fc.constant(text),
    fc.uniqueArray(fc.nat(text.length), { maxLength: 8 }).chain((offsets) => {
      const sorted = [...offsets].sort((a, b) => a - b);
      const pairs = sorted.flatMap((start, index) => (index % 2 === 0 ? [[start, sorted[index + 1] ?? start]] : []));
      return fc.tuple(
        ...pairs.map(([start = 0, end = 0]) =>
          fc.stringMatching(/^([xy]{0,2}\n?){0,3}$/).map((newText): SpanEdit => ({ start, end, newText })),
        ),
      );
    }),
  );
});

describe('laws', () => {
  test('undoing the edits gives the text again', () => {
    fc.assert(
      fc.property(change, ([text, edits]) => {
        const after = applySpanEdits(text, edits);
        expect(applySpanEdits(after, invertSpanEdits(text, edits))).toBe(text);
      }),
    );
  });

  test('hunks hold all of the change: putting their lines in place of the old ones gives the new text', () => {
    fc.assert(
      fc.property(change, ([text, edits]) => {
        const hunks = lineHunks(document(text), edits);
        const asEdits = hunks.map(({ span, added }) => ({ ...span, newText: added.join('') }));
        expect(applySpanEdits(text, asEdits)).toBe(applySpanEdits(text, edits));
        for (const hunk of hunks) {
          expect(hunk.removed.join('')).toBe(text.slice(hunk.span.start, hunk.span.end));
          expect(splitLines(applySpanEdits(text, edits)).slice(hunk.new[0] - 1, hunk.new[0] - 1 + hunk.new[1])).toEqual(
            hunk.added,
          );
        }
      }),
    );
  });

  test('the unified diff is one that another program can apply', () => {
    fc.assert(
      fc.property(change, ([text, edits]) => {
        const lf = text.replaceAll('\r\n', '\n');
        fc.pre(lf === text);
        const { diff } = unifiedDiff('a.ts', document(text), lineHunks(document(text), edits));
        fc.pre(diff !== '');
        expect(applyPatch(text, diff)).toBe(applySpanEdits(text, edits));
      }),
    );
  });
});

describe('unifiedDiff', () => {
  test('is cut at a line end after 8 KB and says how many bytes are missing', () => {
    const text = Array.from({ length: 1000 }, (_, index) => `line ${index} ${'x'.repeat(20)}\n`).join('');
    const hunks = lineHunks(document(text), [{ start: 0, end: text.length, newText: '' }]);
    const { diff, cut } = unifiedDiff('a.ts', document(text), hunks);
    expect(Buffer.byteLength(diff)).toBeLessThanOrEqual(8192);
    expect(diff.endsWith('\n')).toBe(true);
    expect(cut).toBeGreaterThan(20_000);
  });
});

describe('snippetOf', () => {
  const snippet = (text: string, edits: readonly SpanEdit[]): string =>
    snippetOf(document(applySpanEdits(text, edits)), lineHunks(document(text), edits));

  test('shows three lines around, what went and what came', () => {
    const text = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    expect(snippet(text, [edit(text, 'e', 'E\nE2')])).toBe(
      ['2 b', '3 c', '4 d', '5-e', '5+E', '6+E2', '7 f', '8 g', '9 h'].join('\n'),
    );
  });

  test('puts … between places that are apart', () => {
    const text = Array.from({ length: 20 }, (_, index) => `l${index + 1}\n`).join('');
    expect(snippet(text, [edit(text, 'l2\n', 'x\n'), edit(text, 'l18\n', 'y\n')])).toBe(
      [
        '1 l1',
        '2-l2',
        '2+x',
        '3 l3',
        '4 l4',
        '5 l5',
        '…',
        '15 l15',
        '16 l16',
        '17 l17',
        '18-l18',
        '18+y',
        '19 l19',
        '20 l20',
      ].join('\n'),
    );
  });

  test('stops after 60 lines and says how many more there are', () => {
    const text = 'start\n';
    const added = Array.from({ length: 200 }, (_, index) => `n${index}\n`).join('');
    const lines = snippet(text, [{ start: 6, end: 6, newText: added }]).split('\n');
    expect(lines).toHaveLength(61);
    expect(lines.at(-1)).toBe('… 141 more lines of this change');
  });

  test('never cuts a surrogate pair in a long line', () => {
    const long = '😀'.repeat(1000);
    const [line = ''] = snippet('', [{ start: 0, end: 0, newText: long }]).split('\n');
    expect(line).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(line.endsWith('😀…')).toBe(true);
  });
});
