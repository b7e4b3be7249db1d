import { describe, expect, test } from 'vitest';
import type { PlannedEdit } from '../../src/broker/edit-plan.ts';
import { type EditsPlan, planEdits } from '../../src/broker/plan-edits.ts';
import { applySpanEdits } from '../../src/workspace/span.ts';

const edit = (oldString: string, newString: string, replaceAll = false) => ({ oldString, newString, replaceAll });

function textAfter(text: string, plan: EditsPlan): string {
  expect(plan.status).toBe('planned');
  return plan.status === 'planned' ? applySpanEdits(text, plan.edits) : '';
}

describe('several edits of one text', () => {
  const text = 'one\ntwo\nthree\nfour\nfive\n';

  test('are made in order, each on the result of the one before', async () => {
    const plan = await planEdits(text, [edit('two', '2\n2b'), edit('four', '4')]);
    expect(textAfter(text, plan)).toBe('one\n2\n2b\nthree\n4\nfive\n');
  });

  test('may have text that an earlier one wrote in old_string, as long as it is kept', async () => {
    const plan = await planEdits(text, [edit('two', '2'), edit('2\nthree', '2\n3')]);
    expect(textAfter(text, plan)).toBe('one\n2\n3\nfour\nfive\n');
  });

  test.each([
    ['changes new text', [edit('two', 'second'), edit('second', '2')], 1],
    ['deletes new text', [edit('two', 'second'), edit('second\nthree\n', '')], 1],
    ['writes into new text', [edit('two', 'a\nb'), edit('a\nb', 'a\nx\nb')], 1],
    ['changes new text behind two others', [edit('five', '5'), edit('one', 'first'), edit('5', 'V')], 2],
  ])('are refused whole where one %s of an earlier one', async (_what, edits, index) => {
    const plan = await planEdits(text, edits);
    expect(plan).toMatchObject({ status: 'refused', code: 'conflict', index });
  });

  test('are refused whole where one does not fit, with its index', async () => {
    expect(await planEdits(text, [edit('two', '2'), edit('seven', '7')])).toMatchObject({
      status: 'refused',
      code: 'no_match',
      index: 1,
    });
  });

  test.each<[string, string, readonly ReturnType<typeof edit>[], string]>([
    ['beside it, before', 'a b\n', [edit('b', 'B'), edit('a ', 'A ')], 'A B\n'],
    ['beside it, behind', 'a b\n', [edit('a', 'A'), edit(' b', ' B')], 'A B\n'],
    ['where an earlier one took text away', 'a b c\n', [edit('b ', ''), edit('c', 'C')], 'a C\n'],
    ['up to where an earlier one took text away', 'a b c\n', [edit('b ', ''), edit('a ', 'A ')], 'A c\n'],
    ['between many of an earlier one', 'x1x2x3x\n', [edit('x', 'yy', true), edit('2', '!')], 'yy1yy!yy3yy\n'],
  ])('may change what stands %s', async (_where, before, edits, after) => {
    expect(textAfter(before, await planEdits(before, edits))).toBe(after);
  });

  test.each([
    ['one of many that an earlier one wrote', 'x1x2x3x\n', [edit('x', 'yy', true), edit('y2', '!')]],
    ['one that moved', 'a b c\n', [edit('c', 'see'), edit('a', 'aaaa'), edit('ee', 'i')]],
    ['across a place where text was taken away', 'a b c\n', [edit('b ', ''), edit('a c', 'z')]],
  ])('are refused where one changes %s', async (_what, before, edits) => {
    expect(await planEdits(before, edits)).toMatchObject({ code: 'conflict', index: edits.length - 1 });
  });

  test('of which each has twice the places cost no more than twice the reads of what was written', async () => {
    const readsOf = async (count: number): Promise<number> => {
      let reads = 0;
      const counted = (word: string, now: string): PlannedEdit => ({
        status: 'planned',
        matchedVia: 'exact',
        places: count,
        kept: [],
        hunks: [],
        edits: Array.from({ length: count }, (_, at) => ({
          start: 4 * at + word.length,
          newText: now,
          get end() {
            reads += 1;
            return 4 * at + word.length + 1;
          },
        })),
      });
      const plans = [counted('', 'A'), counted('a', 'B')];
      const planned = await planEdits('abc\n'.repeat(count), [edit('a', 'A'), edit('b', 'B')], async () => {
        return plans.shift() ?? counted('', '');
      });
      expect(textAfter('abc\n'.repeat(count), planned)).toBe('ABc\n'.repeat(count));
      return reads;
    };
    expect((await readsOf(400)) / (await readsOf(200))).toBeLessThan(3);
  });

  test('leave bytes between them alone', async () => {
    const plan = await planEdits(text, [edit('five', 'V'), edit('one', 'I')]);
    expect(plan.status === 'planned' && plan.edits).toEqual([
      { start: 0, end: 3, newText: 'I' },
      { start: 19, end: 23, newText: 'V' },
    ]);
  });
});
