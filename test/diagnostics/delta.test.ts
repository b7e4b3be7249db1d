import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { compareDiagnostics, type Delta, type Tracked } from '../../src/diagnostics/delta.ts';
import type { FileDiagnostic } from '../../src/diagnostics/report.ts';
import { applySpanEdits, type SpanEdit } from '../../src/workspace/span.ts';

const documentOf = (text: string): TextDocument => TextDocument.create('file:///a.ts', 'typescript', 1, text);

/** One error at each `!` word of a text, its message the word: `!b` and `!c` are two messages. */
function errorsIn(text: string): readonly FileDiagnostic[] {
  const document = documentOf(text);
  return [...text.matchAll(/!\w*/g)].map((match) => ({
    path: 'a.ts',
    range: { start: document.positionAt(match.index), end: document.positionAt(match.index + match[0].length) },
    severity: 'error',
    message: match[0],
  }));
}

function compare(before: string, edits: readonly SpanEdit[]): Delta {
  const baseline = errorsIn(before).map(
    (diagnostic, index): Tracked => ({ id: -1 - index, diagnostic, origin: undefined }),
  );
  const after = applySpanEdits(before, edits);
  return compareDiagnostics({
    baseline,
    steps: [{ before: documentOf(before), edits }],
    after: documentOf(after),
    now: errorsIn(after),
    origin: { session: 's', receipt: 'e1' },
  });
}

const replace = (text: string, from: string, to: string): SpanEdit => {
  const start = text.indexOf(from);
  return { start, end: start + from.length, newText: to };
};
const messages = (tracked: readonly Tracked[]): string => tracked.map(({ diagnostic }) => diagnostic.message).join(' ');

describe('compareDiagnostics', () => {
  const lines = 'a\n!b\nc\n!d\n!d\ne\n';
  test.each([
    ['lines inserted above', lines, ['a', 'a\nx\ny'], '', ''],
    ['lines deleted above', lines, ['a\n', ''], '', ''],
    ['one mended', lines, ['!b', 'b'], '', '!b'],
    ['one made', lines, ['c', '!c'], '!c', ''],
    ['the same message at a new place', lines, ['c', '!b'], '!b', ''],
    ['one of two alike mended', lines, ['!d\n!d', '!d\nd'], '', '!d'],
    ['a line with an error rewritten, the error kept', lines, ['c\n!d', 'cc\nx !d'], '', ''],
    ['its message changed', lines, ['!b', '!bb'], '!bb', '!b'],
    ['an edit that ends where an error begins', lines, ['a\n', 'x\n'], '', ''],
    ['an edit that begins where an error ends', lines, ['\nc', ' and c'], '', ''],
    ['a block with an error moved', '1\n!b\n2\n', ['1\n!b\n2', '1\n2\n!b'], '', ''],
    ['everything rewritten', lines, [lines, `// new\n${lines}`], '', ''],
    ['everything deleted', lines, [lines, ''], '', '!b !d !d'],
  ] as const)('%s', (_what, before, [from, to], introduced, fixed) => {
    const delta = compare(before, [replace(before, from, to)]);
    expect([messages(delta.introduced), messages(delta.fixed)]).toEqual([introduced, fixed]);
  });

  test('what is new is put down to the edit, what stays keeps its origin and its id', () => {
    const { tracked } = compare(lines, [replace(lines, 'a', '!a')]);
    expect(tracked.map(({ origin }) => origin?.receipt)).toEqual(['e1', undefined, undefined, undefined]);
    expect(tracked.map(({ id }) => id).slice(1)).toEqual([-1, -2, -3]);
  });

  const words = fc.array(fc.constantFrom('x', 'y', '!p', '!q', '\n'), { maxLength: 25 }).map((w) => w.join(' '));

  test('without edits nothing is introduced and nothing fixed', () => {
    fc.assert(
      fc.property(words, (text) => {
        const delta = compare(text, []);
        expect([delta.introduced, delta.fixed]).toEqual([[], []]);
      }),
    );
  });

  test('nothing outside the edit is introduced or fixed, and the numbers add up', () => {
    fc.assert(
      fc.property(words, fc.nat(40), words, (text, at, inserted) => {
        const line = text
          .split('\n')
          .slice(0, at % 5)
          .join('\n').length;
        const start = Math.min(line, text.length);
        const edit = { start, end: start, newText: `\n${inserted}\n` };
        const delta = compare(text, [edit]);
        expect(messages(delta.introduced)).toBe(
          messages(errorsIn(inserted).map((diagnostic) => ({ id: 0, diagnostic, origin: undefined }))),
        );
        expect(delta.fixed).toEqual([]);
        expect(delta.tracked.length).toBe(errorsIn(text).length + delta.introduced.length);
      }),
    );
  });
});
