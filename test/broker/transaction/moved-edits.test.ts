import { expect, test } from 'vitest';
import { movedEdits } from '../../../src/broker/transaction/moved-edits.ts';
import type { SpanEdit } from '../../../src/workspace/span.ts';

const TEXT = 'one\ntwo\nthree\nfour\nfive\n';
const at = (part: string, newText: string): SpanEdit => {
  const start = TEXT.indexOf(part);
  return { start, end: start + part.length, newText };
};
const before = (part: string, newText: string): SpanEdit => ({ ...at(part, newText), end: TEXT.indexOf(part) });

test.each<[string, SpanEdit[], SpanEdit[], readonly number[] | undefined]>([
  ['other lines', [at('two', '2'), at('five', '5')], [at('one', 'first\nline'), at('four', '4')], undefined],
  ['the lines beside it', [at('two', '2')], [at('one', '1'), at('three', '3')], undefined],
  ['the same line', [at('one', '1'), at('four', '4')], [at('one\n', ''), at('fo', 'F')], [1, 3]],
  ['lines put before it', [at('three', '3')], [before('three', 'new\n')], undefined],
  ['lines put between the same two', [before('three', 'a\n')], [before('three', 'b\n')], [3]],
  ['a line within those that go', [at('two\nthree\nfour\n', '')], [at('one', '1'), before('three', 'new\n')], [3]],
])('an edit is carried over others of %s, or refused', (_what, edits, since, lines) => {
  const moved = movedEdits(TEXT, edits, since);
  if (lines) expect(moved).toEqual({ status: 'touched', lines });
  else expect(moved.status).toBe('moved');
});

test('an edit stands as much further down as the text grew before it', () => {
  const since = [at('one', 'first'), at('four', '')];
  const edits = [before('one', 'zero\n'), at('three', '3'), at('five', '5')];
  expect(movedEdits(TEXT, edits, since)).toEqual({
    status: 'moved',
    edits: [
      { start: 0, end: 0, newText: 'zero\n' },
      { start: 10, end: 15, newText: '3' },
      { start: 17, end: 21, newText: '5' },
    ],
  });
});

/** How often offsets are read of edits of every fourth line, over which edits of as many others lie. */
function readsOf(count: number): number {
  let reads = 0;
  const counted = (line: number): SpanEdit => ({
    start: 2 * line,
    newText: 'y',
    get end() {
      reads += 1;
      return 2 * line + 1;
    },
  });
  const edits = Array.from({ length: count }, (_, index) => counted(4 * index));
  const since = Array.from({ length: count }, (_, index) => counted(4 * index + 2));
  expect(movedEdits('x\n'.repeat(4 * count), edits, since).status).toBe('moved');
  return reads;
}

test('of twice the edits over twice as many others each is looked at as often', () => {
  expect(readsOf(400) / readsOf(200)).toBeLessThan(2.5);
});
