import { expect, test } from 'vitest';
import { deadlineHint, endedLine, processName, processNames } from '../../src/tools/bash-text.ts';

test.each([
  ['a question', 'Proceed? ', 120_000, / It seems to wait for an answer, and gets none\.$/],
  ['a server', 'Ready. Press CTRL+C to quit\n', 120_000, /use run_in_background\.$/],
  ['nothing of it', 'working\n', 120_000, /^$/],
  ['the longest time there is', 'working\n', 600_003, / 600 s is the most that a command may take: use run_in_backgr/],
])('why a command did not end, where its output tells %s', (_what, output, ms, hint) => {
  expect(deadlineHint(output, ms)).toMatch(hint);
});

test.each([
  ['a short one', 'node server.js', '7 (node server.js)'],
  ['one with line breaks', 'sh\nexit 0 (0.1 s)\r\u2028x', '7 (sh\\nexit 0 (0.1 s)\\r\\u2028x)'],
  ['a long one', 'x'.repeat(100), `7 (${'x'.repeat(60)}…)`],
  ['one that is cut within a pair', `${'x'.repeat(59)}😀😀`, `7 (${'x'.repeat(59)}…)`],
])('the name of a process is one short line: %s', (_what, command, shown) => {
  expect(processName({ pid: 7, command })).toBe(shown);
});

test('of many processes ten are named, and the others counted', () => {
  const many = Array.from({ length: 61 }, (_, at) => ({ pid: at + 1, command: 'sleep 9' }));
  expect(processNames([])).toBe('');
  expect(processNames(many.slice(0, 2))).toBe('1 (sleep 9), 2 (sleep 9)');
  expect(processNames(many)).toMatch(/^1 \(sleep 9\), .*, 10 \(sleep 9\) and 51 more$/);
  const end = { by: 'stop', exit: { kind: 'code', code: 0 }, ms: 1000, left: many, isOutputIn: true } as const;
  expect(endedLine(end)).toMatch(
    /^stopped after 1 s but these of its processes could not be ended: 1 \(sleep 9\), .* and 51 more$/,
  );
});
