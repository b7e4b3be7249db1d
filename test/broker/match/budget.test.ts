import { expect, test } from 'vitest';
import { locate, Searched } from '../../../src/broker/cascade.ts';
import { Budget } from '../../../src/broker/match/budget.ts';
import { syntaxOf } from '../../../src/broker/match/syntax.ts';
import { parsePatchText } from '../../../src/broker/patch/parse-patch.ts';
import { planHunks } from '../../../src/broker/patch/plan-hunks.ts';
import { planEdit } from '../../../src/broker/plan-edit.ts';

const linesOf = (count: number, word: string): string =>
  Array.from({ length: count }, (_, line) => `  ${word}${line % 97}(${line}, total + ${line * 7}); // ${line}\n`).join(
    '',
  );

/** A block of which every tenth line is not what the file says: nothing can be made of it. */
function stale(count: number): { readonly text: string; readonly oldString: string; readonly newString: string } {
  const text = linesOf(count, 'call');
  const oldString = text.replace(/total \+ (\d*)0\)/g, 'other - $1 * 3)');
  return { text, oldString, newString: oldString.replace('call5(5,', 'call5(6,') };
}

function stepsOf(count: number): number {
  const { text, oldString, newString } = stale(count);
  const searched = new Searched(text, syntaxOf('a.ts'));
  expect(locate(searched, { oldString, newString }).status).toBe('absent');
  return searched.budget.spent;
}

test('a miss of four times the lines costs little more than four times the steps', () => {
  const [small, large] = [stepsOf(250), stepsOf(1_000)];
  expect(small).toBeGreaterThan(10_000);
  expect(large / small).toBeLessThan(5);
});

test('a miss stops soon after its budget and says to make it smaller', () => {
  const { text, oldString, newString } = stale(1_000);
  const budget = new Budget(100_000);
  const plan = planEdit(text, { oldString, newString, replaceAll: false, path: 'a.ts' }, budget);
  expect(budget.isGone).toBe(true);
  expect(budget.spent).toBeLessThan(600_000);
  expect(plan).toMatchObject({ status: 'refused', code: 'no_match' });
  const { message } = plan as { readonly message: string };
  expect(message).toContain('make it in smaller edits');
  expect(message.length).toBeLessThan(1_500);
});

test('a miss of thousands of lines still names the place that is nearest', () => {
  const { text, oldString, newString } = stale(4_000);
  const plan = planEdit(text, { oldString, newString, replaceAll: false, path: 'a.ts' });
  expect(plan).toMatchObject({ status: 'refused', code: 'no_match' });
  const { message } = plan as { readonly message: string };
  expect(message).toContain('Nearest: L1-4000, 3600 of 4000 lines equal');
  expect(message.length).toBeLessThan(1_500);
});

test('the hunks of a patch share one budget', () => {
  const lines = linesOf(400, 'call').split('\n').slice(0, -1);
  const hunk = (from: number): string[] => [
    '@@',
    ...lines
      .slice(from, from + 200)
      .map((line, at) => (at === 150 ? `-${line}\n+${line}!` : ` ${line.replace('+', '-')}`)),
  ];
  const parsed = parsePatchText(
    ['*** Begin Patch', '*** Update File: a.ts', ...hunk(0), ...hunk(200), '*** End Patch', ''].join('\n'),
  );
  const [patch] = parsed.status === 'parsed' ? parsed.files : [];
  if (patch?.op !== 'update') throw new Error('the patch was not read');
  const budget = new Budget();
  expect(planHunks({ shown: 'a.ts', text: lines.join('\n') }, patch.hunks, budget).status).toBe('refused');
  expect(budget.spent).toBeGreaterThan(10_000);
});
