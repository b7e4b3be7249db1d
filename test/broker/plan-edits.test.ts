import { describe, expect, test } from 'vitest';
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

  test('leave bytes between them alone', async () => {
    const plan = await planEdits(text, [edit('five', 'V'), edit('one', 'I')]);
    expect(plan.status === 'planned' && plan.edits).toEqual([
      { start: 0, end: 3, newText: 'I' },
      { start: 19, end: 23, newText: 'V' },
    ]);
  });
});
