import { expect, test } from 'vitest';
import { syntaxOf } from '../../../src/broker/match/syntax.ts';
import { tokenize } from '../../../src/broker/match/tokens.ts';
import { planEdit } from '../../../src/broker/plan-edit.ts';
import { countCalls } from '../../support/count-calls.ts';

const SYNTAX = syntaxOf('a.ts');
const keysOf = (text: string, start: number, end: number): readonly string[] =>
  tokenize(text, { start, end }, SYNTAX).map(({ key }) => key);

test.each([
  ['ends with it', 'one two three', 4, 7, ['two']],
  ['goes on past it', 'one two three', 4, 6, []],
  ['goes on past it behind what can not be seen', 'one tw\u200bo three', 4, 6, []],
  ['ends with it but for what can not be seen', 'one two\u200b three', 4, 7, ['two']],
  ['goes on past it with an escape', 'one tw\\u00e9 three', 4, 6, []],
  ['goes on past it with a mark', 'one e\u0301 three', 4, 5, []],
])('a word that lies in a span is its token where it %s', (_where, text, start, end, keys) => {
  expect(keysOf(text, start, end)).toEqual(keys);
});

test('of a word that goes on past a span no more is read than shows that, however long it is', async () => {
  const word = 'a'.repeat(50_000);
  expect(await countCalls(String.prototype, 'charCodeAt', () => keysOf(word, 10, 20))).toBeLessThan(1_000);
});

test('a word of twice the length costs no more for each place that is looked at in it', async () => {
  const small = await readsOf(8_000);
  expect((await readsOf(16_000)) / small).toBeLessThan(2.7);
});

function readsOf(length: number): Promise<number> {
  const request = { oldString: '00ff 00ff 00ff', newString: '00ff', replaceAll: false, path: 'a.ts' };
  return countCalls(String.prototype, 'charCodeAt', () => {
    expect(planEdit('00ff'.repeat(length / 4), request)).toMatchObject({ status: 'refused' });
  });
}
