import { describe, expect, test } from 'vitest';
import { type Job, nextTurn } from '../../src/diagnostics/next-turn.ts';
import { createSnapshot, utf8Form } from '../../src/workspace/document-snapshot.ts';

/** `a:x` is a change of `x` by session `a`; `?x` asks what holds for `x`. */
function job(word: string): Job {
  const [session = '', name = ''] = word.split(/[:?]/);
  const document = createSnapshot(`/p/${name}`, '', utf8Form(), 1);
  const change = { receipt: 'e1', session, before: document, after: document, edits: [] };
  const isChange = word.includes(':');
  return { changes: isChange ? [change] : [], documents: isChange ? [] : [document], resolve: () => {} };
}

describe('nextTurn', () => {
  test.each([
    ['a:x a:y', 'a:x a:y', ''],
    ['a:x b:y a:z', 'a:x a:z', 'b:y'],
    ['a:x b:x a:x', 'a:x', 'b:x a:x'],
    ['a:x b:y a:y a:z', 'a:x a:z', 'b:y a:y'],
    ['?x a:y b:x ?x ?z', '?x a:y ?z', 'b:x ?x'],
    ['?x', '?x', ''],
  ])('of %s it takes %s', (waiting, now, later) => {
    const words = waiting.split(' ');
    const jobs = words.map(job);
    const taken = nextTurn(jobs);
    const wordsOf = (some: readonly Job[]): string => some.map((one) => words[jobs.indexOf(one)]).join(' ');
    expect([wordsOf(taken.now), wordsOf(taken.later)]).toEqual([now, later]);
  });
});
