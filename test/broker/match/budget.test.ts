import { expect, test } from 'vitest';
import { answerTask, type PlanTask, planWith as planHereOrThere } from '../../../src/broker/edit-planner.ts';
import { Budget } from '../../../src/broker/match/budget.ts';
import { lineEdits } from '../../../src/broker/merge/line-edits.ts';
import { parsePatchText } from '../../../src/broker/patch/parse-patch.ts';
import { planHunks } from '../../../src/broker/patch/plan-hunks.ts';
import { planEdit, tryPlanEdit } from '../../../src/broker/plan-edit.ts';
import { applySpanEdits } from '../../../src/workspace/span.ts';

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

type Edited = ReturnType<typeof stale>;

/** Some comments are not what the file says, and a line changes. */
function drifted(count: number): Edited {
  const text = linesOf(count, 'call');
  const oldString = text.trimEnd().replace(/\/\/ (\d*)3$/gm, '// about $13');
  return { text, oldString, newString: oldString.replace('call5(5,', 'call5(6,') };
}

/** All lines lost their indentation, and all change. */
function rewritten(count: number): Edited {
  const text = linesOf(count, 'call');
  const oldString = text.replace(/^ +/gm, '');
  return { text, oldString, newString: oldString.replace(/total/g, 'sum') };
}

function repeated(count: number): Edited {
  return { text: 'call( 1 );\n\n'.repeat(count), oldString: 'call(1);\n', newString: 'call(2);\n' };
}

function planWith(budget: Budget, { text, ...strings }: Edited) {
  return planEdit(text, { ...strings, replaceAll: true, path: 'a.ts' }, budget);
}

test.each([
  ['a miss with its hint', stale, 250, { status: 'refused', code: 'no_match' }],
  ['kept comments in other words', drifted, 250, { status: 'planned', matchedVia: 'block-anchor' }],
  ['a change of every line', rewritten, 50, { status: 'planned', matchedVia: 'indentation-flexible' }],
  ['every one of many places', repeated, 50, { status: 'planned', matchedVia: 'multi-occurrence' }],
])('%s, of four times the lines costs little more than four times the steps', (_what, make, count, expected) => {
  const [small, large] = [count, 4 * count].map((lines) => {
    const budget = new Budget();
    expect(planWith(budget, make(lines))).toMatchObject(expected);
    return budget.spent;
  });
  expect(small).toBeGreaterThan(10_000);
  expect((large ?? 0) / (small ?? 0)).toBeLessThan(6);
});

test.each([
  ['a miss', stale, 1_000],
  ['comments in other words', drifted, 1_000],
  ['a change of every line', rewritten, 1_000],
  ['every one of many places', repeated, 1_000],
])('%s beyond the budget is refused in words that help, and soon', (_what, make, count) => {
  const budget = new Budget(100_000);
  const plan = planWith(budget, make(count));
  expect(plan).toMatchObject({ status: 'refused', code: 'no_match' });
  expect((plan as { readonly message: string }).message).toMatch(/^no exact place of old_string in a\.ts \(/);
  expect((plan as { readonly message: string }).message).toContain('make it in smaller edits');
  expect(budget.spent).toBeLessThan(1_500_000);
});

test('a budget that does not suffice is told by a plan that was only tried, without a hint', () => {
  const budget = new Budget(100_000);
  const { text, ...strings } = stale(1_000);
  expect(tryPlanEdit(text, { ...strings, replaceAll: false, path: 'a.ts' }, budget)).toBeUndefined();
  expect(budget.spent).toBeLessThan(600_000);
});

test('a try whose budget does not suffice says nothing of new_string, which stands elsewhere too', async () => {
  const text = `${linesOf(10, 'call')}  done( 1 );\n${linesOf(10, 'more')}  done(2);\n`;
  const request = { oldString: 'done(1);', newString: 'done(2);', replaceAll: false, path: 'a.ts' };
  expect(tryPlanEdit(text, request, new Budget(1))).toBeUndefined();
  expect(planEdit(text, request)).toMatchObject({ status: 'planned', matchedVia: 'whitespace-normalized' });
  expect(planEdit(text, request, new Budget(1))).toMatchObject({ status: 'refused', code: 'no_match' });
  const long = `${text}${'// filled\n'.repeat(330_000)}`;
  const planner = { plan: async (task: PlanTask) => answerTask(task), close: async () => {} };
  const plan = await planHereOrThere(planner, undefined)(long, request);
  expect(plan).toMatchObject({ status: 'planned', matchedVia: 'whitespace-normalized' });
});

test('a short old_string is looked for in full whatever the budget', () => {
  const budget = new Budget(1);
  budget.exhaust();
  const request = { oldString: 'a=1', newString: 'a=2', replaceAll: false, path: 'a.ts' };
  expect(planEdit('b=1\n', request, budget)).toMatchObject({ status: 'refused', code: 'too_short' });
});

test.each<[string, (text: string) => Partial<Edited>]>([
  ['the whole file', () => ({})],
  ['all but its last line end', (text) => ({ oldString: text.trimEnd() })],
  ['lines between others', (text) => ({ text: `first\n${text}last\n` })],
  ['a file with other line ends', (text) => ({ text: text.replace(/\n/g, '\r\n') })],
])('an exact old_string needs no merge: of %s 8,000 lines change, however small the budget', (_what, other) => {
  const whole = linesOf(8_000, 'call');
  const edited = { text: whole, oldString: whole, newString: '', ...other(whole) };
  const newString = edited.oldString.replace(/total/g, 'sum');
  for (const budget of [new Budget(), new Budget(1)]) {
    const plan = planEdit(edited.text, { ...edited, newString, replaceAll: false, path: 'a.ts' }, budget);
    if (plan.status === 'refused') throw new Error(plan.message);
    expect(applySpanEdits(edited.text, plan.edits) === edited.text.replace(/total/g, 'sum')).toBe(true);
  }
});

test.each([
  ['other words', (line: string) => line.replace('total', 'sum')],
  ['another indentation', (line: string) => `\t${line.trim()}`],
  ['two lines for each', (line: string) => line.replace(', total', ',\n    total')],
  ['nothing in common', (_: string, at: number) => `${at}`],
])('a text of 20,000 lines of which each changes is written: %s', (_what, change) => {
  const text = linesOf(20_000, 'call');
  const now = text.split('\n').map(change).join('\n');
  expect(applySpanEdits(text, lineEdits(text, now)) === now).toBe(true);
});

test('replace_all changes every place or none: what is not looked for is not left out in silence', () => {
  const request = { oldString: 'ab', newString: 'cd', replaceAll: true };
  expect(planEdit('ab\n'.repeat(2_000), request)).toMatchObject({ status: 'planned', places: 2_000 });
  expect(planEdit('ab\n'.repeat(100_001), request)).toMatchObject({ status: 'refused', code: 'too_wide' });
  expect(planWith(new Budget(), repeated(300))).toMatchObject({ status: 'planned', places: 300 });
});

test('100,000 places that fit are counted at once, and some are named', () => {
  const plan = planEdit(`${'  x = 1;\n'.repeat(100_000)}`, {
    oldString: 'x = 1;',
    newString: 'x = 2;',
    replaceAll: false,
  });
  expect(plan).toMatchObject({ status: 'refused', code: 'ambiguous' });
  expect((plan as { readonly message: string }).message).toMatch(/^over 99999 places fit .* and over 99959 more\./);
});

test('exact places that are too many for the budget are told as that', () => {
  const plan = planEdit(
    'x = 1;\n'.repeat(3),
    { oldString: 'x = 1;', newString: 'x = 2;', replaceAll: true },
    new Budget(9),
  );
  expect(plan).toMatchObject({ status: 'refused', code: 'too_wide' });
  expect((plan as { readonly message: string }).message).toMatch(/^over 2 places fit old_string/);
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

test('the hunks of a patch share one budget', async () => {
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
  const plan = await planHunks({ shown: 'a.ts', text: lines.join('\n') }, patch.hunks, { budget });
  expect(plan.status).toBe('refused');
  expect(budget.spent).toBeGreaterThan(10_000);
});
