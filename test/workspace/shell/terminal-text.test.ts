import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outputText } from '../../../src/workspace/shell/output-text.ts';
import { OutputWindow } from '../../../src/workspace/shell/output-window.ts';
import { terminalLines } from '../../../src/workspace/shell/terminal-text.ts';

describe('what a terminal would show', () => {
  test.each([
    ['plain text', 'a\nb', ['a', 'b']],
    ['an overwritten line', 'abc\rX', ['Xbc']],
    ['CRLF', 'a\r\nb\r\n', ['a', 'b', '']],
    ['a backspace', 'abd\bc', ['abc']],
    ['a line erased to its end', 'loading 99%\r\x1b[Kdone', ['done']],
    ['a whole line erased', 'abc\x1b[2K\rd', ['d']],
    ['colours', '\x1b[1;31mred\x1b[0m', ['red']],
    ['a title and a link', '\x1b]0;title\x07a \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', ['a link']],
    ['an escape that is cut off', 'a\x1b[3', ['a\\x1b[3']],
    ['a bell', 'a\x07b', ['a\\x07b']],
    ['a screen cleared again and again', 'log\n\x1b[2J1\n\x1b[2J2\n\x1b[2J3', ['log', '3']],
  ])('%s', (_what, text, lines) => {
    expect(terminalLines(text)).toEqual(lines);
  });

  test('text without controls is left as it is', () => {
    const plain = fc.string({ unit: fc.constantFrom('a', ' ', '\t', '\n', 'é', '😀') });
    fc.assert(
      fc.property(plain, (text) => {
        expect(terminalLines(text).join('\n')).toBe(text);
      }),
    );
  });

  test('no control character is left', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\x1b', '[', '2', 'J', 'K', '\r', '\b', '\0', ';', 'm') });
    fc.assert(
      fc.property(text, (output) => {
        expect(terminalLines(output).join('\n')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
      }),
    );
  });
});

describe('the two ends of an output', () => {
  test('however it comes, both ends and the counts are right', () => {
    const line = fc.string({ unit: fc.constantFrom('x', 'é', '日'), minLength: 0, maxLength: 200 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 2500 }),
        fc.integer({ min: 1, max: 70_000 }),
        (lines, step) => {
          const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
          const window = new OutputWindow();
          for (let at = 0; at < bytes.length; at += step) window.take(bytes.subarray(at, at + step));
          const ends = window.ends();
          expect(ends).toMatchObject({ bytes: bytes.length, lines: lines.length });
          expect(ends.head.length + ends.tail.length + ends.leftOut).toBe(bytes.length);
          expect(bytes.subarray(0, ends.head.length).equals(ends.head)).toBe(true);
          expect(bytes.subarray(bytes.length - ends.tail.length).equals(ends.tail)).toBe(true);
          const { text } = outputText(ends, '/spill');
          expect(text).not.toMatch(/\ufffd|\\x/);
          const [, left = '0'] = /\n… ([\d,]+) lines? left out;/.exec(text) ?? [];
          const shown = text.split('\n').length - (text.includes('left out') ? 1 : 0);
          expect(shown + Number(left.replaceAll(',', ''))).toBe(withoutLastEmpty(lines).length);
          expect(Buffer.byteLength(text)).toBeLessThan(30_000);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** An output that ends in line ends alone shows an empty last line as nothing. */
function withoutLastEmpty(lines: readonly string[]): readonly string[] {
  return lines.length === 1 && lines[0] === '' ? [''] : lines;
}
