import { expect, test } from 'vitest';
import { deadlineHint } from '../../src/tools/bash-text.ts';

test.each([
  ['a question', 'Proceed? ', 120_000, / It seems to wait for an answer, and gets none\.$/],
  ['a server', 'Ready. Press CTRL+C to quit\n', 120_000, /use run_in_background\.$/],
  ['nothing of it', 'working\n', 120_000, /^$/],
  ['the longest time there is', 'working\n', 600_003, / 600 s is the most that a command may take: use run_in_backgr/],
])('why a command did not end, where its output tells %s', (_what, output, ms, hint) => {
  expect(deadlineHint(output, ms)).toMatch(hint);
});
