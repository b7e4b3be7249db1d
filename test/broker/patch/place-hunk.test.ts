import { expect, test } from 'vitest';
import { parsePatchText } from '../../../src/broker/patch/parse-patch.ts';
import { planHunks } from '../../../src/broker/patch/plan-hunks.ts';
import { applySpanEdits } from '../../../src/workspace/span.ts';
import { countCalls } from '../../support/count-calls.ts';

const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, line) => `  call${line}(${line}, total); // number ${line}\n`).join('');

async function planned(text: string, hunk: readonly string[]): Promise<string> {
  const parsed = parsePatchText(
    ['*** Begin Patch', '*** Update File: a.ts', '@@', ...hunk, '*** End Patch', ''].join('\n'),
  );
  const [patch] = parsed.status === 'parsed' ? parsed.files : [];
  if (patch?.op !== 'update') throw new Error('the patch was not read');
  const plan = await planHunks({ shown: 'a.ts', text }, patch.hunks);
  return plan.status === 'refused' ? `${plan.code}: ${plan.message}` : applySpanEdits(text, plan.edits);
}

const DRIFTED = [
  ' call9(9, total); // number 9',
  '-call10(10, total); // number 10',
  '+call10(11, total); // number 10',
];

test('of a drifted hunk only what it changes is read for its lines, however long the file is', async () => {
  const folds = (count: number): Promise<number> => {
    return countCalls(String.prototype, 'normalize', async () => {
      const text = linesOf(count);
      expect(await planned(text, DRIFTED)).toBe(text.replace('(10, total)', '(11, total)'));
    });
  };
  const few = await folds(200);
  expect(few).toBeGreaterThan(0);
  expect(await folds(2_000)).toBeLessThan(2 * few);
});

test.each([
  ['at the first line', linesOf(3), [' call0(0,total); // number 0', '+one();'], /call0.*\n *one\(\);\n {2}call1/],
  ['at the last line', linesOf(3), [' call2(2,total); // number 2', '+one();'], /call2.*\n *one\(\);\n$/],
  [
    'and takes a line away that comes again',
    linesOf(3),
    ['-call0(0,total); // number 0', '-call1(1,total); // number 1', '+call1(1,total); // number 1'],
    /^ *call1.*\n {2}call2.*\n$/,
  ],
])('a drifted hunk may change what stands %s', async (_where, text, hunk, after) => {
  expect(await planned(text, hunk)).toMatch(after);
});
