import { describe, expect, test } from 'vitest';
import type { WrittenChange } from '../../src/diagnostics/diagnostics-board.ts';
import { condenseChanges } from '../../src/diagnostics/file-change.ts';
import { createSnapshot, utf8Form } from '../../src/workspace/document-snapshot.ts';

let versions = 0;
let receipts = 0;

function change(path: string, before: string | undefined, after: string | undefined): WrittenChange {
  const snapshot = (text: string | undefined) =>
    text === undefined ? undefined : createSnapshot(path, text, utf8Form(), ++versions);
  return { receipt: `e${++receipts}`, session: 's', before: snapshot(before), after: snapshot(after), edits: [] };
}

const shown = (changes: readonly WrittenChange[]): readonly (readonly unknown[])[] =>
  changes.map(({ before, after, edits }) => [before?.text, after?.text, edits.map(({ newText }) => newText)]);

describe('condenseChanges', () => {
  test('keeps one change for each file, from its first text to its last', () => {
    const condensed = condenseChanges([
      change('/p/a', 'one', 'two'),
      change('/p/made', undefined, 'x'),
      change('/p/a', 'two', 'three'),
      change('/p/gone', 'x', undefined),
      change('/p/passing', undefined, 'x'),
      change('/p/passing', 'x', undefined),
    ]);
    expect(shown(condensed)).toEqual([
      ['one', 'three', ['three'.slice(0, -1)]],
      [undefined, 'x', []],
      ['x', undefined, []],
    ]);
  });

  test('of a thousand changes that nobody could answer for, one is kept, put down to the last', () => {
    let owed: readonly WrittenChange[] = [];
    for (let number = 0; number < 1000; number++) {
      owed = condenseChanges([...owed, change('/p/a', `a${number}`, `a${number + 1}`)]);
    }
    expect(shown(owed)).toEqual([['a0', 'a1000', ['100']]]);
    expect(owed[0]?.receipt).toBe(`e${receipts}`);
  });
});
