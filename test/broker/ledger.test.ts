import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLedger, isElsewhere, type SeenContent } from '../../src/broker/ledger.ts';
import { changedRanges, hashLines, lineChanges, mapRanges } from '../../src/broker/line-changes.ts';

const content = (text: string): SeenContent => ({ hash: createHash('sha256').update(text).digest('hex'), text });
const numbered = (count: number): string[] => Array.from({ length: count }, (_, line) => `line ${line + 1}\n`);
const changedAt = (lines: readonly string[], ...changes: [number, string][]): SeenContent =>
  content(lines.map((line, index) => changes.find(([at]) => at === index + 1)?.[1] ?? line).join(''));

const PATH = '/f';
const LINES = numbered(100);
const BEFORE = content(LINES.join(''));

describe('what a session knows of a file', () => {
  test('nothing of one that it never saw', () => {
    expect(createLedger().look(PATH, BEFORE)).toEqual({ status: 'unseen' });
    expect(createLedger().knownLines(PATH, BEFORE)).toEqual([]);
  });

  test('the same content is the same, whatever happened in between', () => {
    const ledger = createLedger();
    ledger.sawLines(PATH, BEFORE, [1, 100]);
    expect(ledger.look(PATH, content(LINES.join('')))).toEqual({ status: 'same' });
  });

  test.each<[string, SeenContent, [number, number][]]>([
    ['a changed line', changedAt(LINES, [18, 'theirs\n']), [[18, 18]]],
    ['added lines', changedAt(LINES, [18, 'line 18\ntheirs\ntheirs\n']), [[19, 20]]],
    ['a removed line, by its neighbours', changedAt(LINES, [18, '']), [[17, 18]]],
    ['removed last lines', content(LINES.slice(0, 90).join('')), [[90, 90]]],
    [
      'several places',
      changedAt(LINES, [3, 'x\n'], [50, 'y\nz\n']),
      [
        [3, 3],
        [50, 51],
      ],
    ],
    ['another line end', changedAt(LINES, [7, 'line 7\r\n']), [[7, 7]]],
  ])('%s', (_what, after, lines) => {
    const ledger = createLedger();
    ledger.sawLines(PATH, BEFORE, [1, 100]);
    expect(ledger.look(PATH, after)).toEqual({ status: 'changed', lines, isNews: true });
  });

  test('reading the changed lines makes them known; reading others does not', () => {
    const ledger = createLedger();
    const after = changedAt(LINES, [18, 'theirs\n']);
    ledger.sawLines(PATH, BEFORE, [1, 100]);
    ledger.sawLines(PATH, after, [40, 60]);
    expect(ledger.look(PATH, after)).toMatchObject({ status: 'changed', lines: [[18, 18]] });
    ledger.sawLines(PATH, after, [10, 20]);
    expect(ledger.look(PATH, after)).toEqual({ status: 'same' });
  });

  test('own writes are known; what others changed before stays unread, and is news only once', () => {
    const ledger = createLedger();
    ledger.sawLines(PATH, BEFORE, [1, 100]);
    const theirs = changedAt(LINES, [18, 'theirs\n']);
    const both = changedAt(LINES, [3, 'mine\nmine\n'], [18, 'theirs\n']);
    expect(ledger.look(PATH, theirs)).toMatchObject({ isNews: true });
    ledger.wrote(PATH, { before: theirs, after: both, receipt: 'e1' });
    expect(ledger.look(PATH, both)).toEqual({ status: 'changed', lines: [[19, 19]], isNews: false });
    const more = changedAt(LINES, [3, 'mine\nmine\n'], [18, 'theirs\n'], [70, 'more\n']);
    expect(ledger.look(PATH, more)).toMatchObject({
      lines: [
        [19, 19],
        [71, 71],
      ],
      isNews: true,
    });
  });

  test('a file that it wrote is known as a whole, one that it removed not at all', () => {
    const ledger = createLedger();
    ledger.wrote(PATH, { before: undefined, after: BEFORE, receipt: 'e1' });
    expect(ledger.look(PATH, BEFORE)).toEqual({ status: 'same' });
    expect(ledger.knownLines(PATH, BEFORE)).toEqual([[1, 100]]);
    ledger.wrote(PATH, { before: BEFORE, after: undefined, receipt: 'e2' });
    expect(ledger.look(PATH, BEFORE)).toEqual({ status: 'unseen' });
  });

  test('known lines move with the text, and those that others changed are none', () => {
    const ledger = createLedger();
    ledger.sawLines(PATH, BEFORE, [10, 20]);
    ledger.sawLines(PATH, BEFORE, [21, 30]);
    expect(ledger.knownLines(PATH, BEFORE)).toEqual([[10, 30]]);
    expect(ledger.knownLines(PATH, changedAt(LINES, [1, 'a\nb\n'], [15, 'x\n']))).toEqual([
      [11, 15],
      [17, 31],
    ]);
    expect(isElsewhere([[10, 30]], [31, 40])).toBe(true);
    expect(isElsewhere([[10, 30]], [30, 40])).toBe(false);
    expect(isElsewhere([], [30, 40])).toBe(false);
  });

  test('a change that was taken back by others is told by its receipt, until the session sees the file again', () => {
    const ledger = createLedger();
    const mine = changedAt(LINES, [3, 'mine\n']);
    ledger.sawLines(PATH, BEFORE, [1, 100]);
    ledger.wrote(PATH, { before: BEFORE, after: mine, receipt: 'e7' });
    expect(ledger.findUndone(PATH, mine)).toBeUndefined();
    expect(ledger.findUndone(PATH, BEFORE)).toBe('e7');
    expect(ledger.findUndone(PATH, changedAt(LINES, [4, 'theirs\n']))).toBeUndefined();
    ledger.sawLines(PATH, BEFORE, [1, 100]);
    expect(ledger.findUndone(PATH, BEFORE)).toBeUndefined();
  });

  test('an edit is known again while its lines stand', () => {
    const ledger = createLedger();
    const edit = { oldString: 'a', newString: 'a\nb', receipt: 'e7', left: 'a\nb\n' };
    ledger.remember(PATH, edit);
    expect(ledger.findMade(PATH, edit, 'x\na\nb\n')).toEqual(edit);
    expect(ledger.findMade(PATH, edit, 'x\na\nc\n')).toBeUndefined();
    expect(ledger.findMade(PATH, { ...edit, newString: 'a\nc' }, 'x\na\nb\n')).toBeUndefined();
    expect(ledger.findMade('/other', edit, 'x\na\nb\n')).toBeUndefined();
  });
});

describe('lines that changed', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', 'd\r', 'e\n'), { maxLength: 30 });

  test('law: outside the changes the lines are the same, and in the order of the map', () => {
    fc.assert(
      fc.property(text, text, (old, now) => {
        const [before, after] = [hashLines(old.join('')), hashLines(now.join(''))];
        expect(before).toHaveLength(old.length);
        const changes = lineChanges(before, after);
        const kept = mapRanges(
          old.map((_, index) => [index + 1, index + 1] as const),
          changes,
        );
        const replaced = new Set(
          changes.flatMap(({ old: [first, count] }) => Array.from({ length: count }, (_, i) => first + i)),
        );
        const oldKept = old.flatMap((line, index) => (replaced.has(index + 1) ? [] : [line]));
        expect(kept.map(([first]) => now[first - 1])).toEqual(oldKept);
        const added = changes.reduce((sum, change) => sum + change.new[1] - change.old[1], 0);
        expect(now.length - old.length).toBe(added);
      }),
    );
  });

  test('very different texts are one change', () => {
    const before = hashLines(Array.from({ length: 5000 }, (_, line) => `old ${line}\n`).join(''));
    const after = hashLines(Array.from({ length: 4000 }, (_, line) => `new ${line}\n`).join(''));
    expect(lineChanges(before, after)).toEqual([{ old: [1, 5000], new: [1, 4000] }]);
    expect(changedRanges(lineChanges(before, after), 4000)).toEqual([[1, 4000]]);
  });
});
