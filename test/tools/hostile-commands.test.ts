import { expect, test } from 'vitest';
import { HOSTILE_COMMANDS, tryHostileCommand } from '../support/hostile-commands.ts';
import { openToolRoom } from '../support/tool-room.ts';

/** Every third kind; all of them, many times, are a long test. */
const SLICE = HOSTILE_COMMANDS.filter((_, index) => index % 3 === 2);

/** Other runs of the same test, which may go on at the same time, have others. */
const NUMBERS = 100_000 + (process.pid % 8000) * 100;

test('a hostile command answers in time, and leaves what it may and nothing else', async () => {
  const wrong: string[] = [];
  const room = await openToolRoom();
  for (const [index, hostile] of SLICE.entries()) {
    wrong.push(...(await tryHostileCommand(room, hostile, NUMBERS + index)));
  }
  await room.close();
  expect(wrong).toEqual([]);
}, 300_000);
