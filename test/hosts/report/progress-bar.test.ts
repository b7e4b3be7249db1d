import { expect, test } from 'vitest';
import { createProgressBar } from '../../../src/hosts/report/progress-bar.ts';

function drawnOn(isTTY: boolean, columns: number): readonly string[] {
  const written: string[] = [];
  let now = 0;
  const bar = createProgressBar({ isTTY, columns, write: (text) => written.push(text) }, () => now);
  for (const done of [1, 2, 3, 4]) {
    bar.show(done, 4);
    now += 60;
  }
  bar.clear();
  return written;
}

test('a terminal is shown how far it is, at most ten times a second, then nothing of it', () => {
  expect(drawnOn(true, 38)).toEqual([
    '\r██░░░░░░ 1 of 4 journals\x1b[K',
    '\r██████░░ 3 of 4 journals\x1b[K',
    '\r████████ 4 of 4 journals\x1b[K',
    '\r\x1b[K',
  ]);
});

test('where nobody looks nothing is written', () => {
  expect(drawnOn(false, 80)).toEqual([]);
});
