import { expect, test } from 'vitest';
import { HOSTILE_COMMANDS, tryHostileCommand } from '../support/hostile-commands.ts';
import { openToolRoom } from '../support/tool-room.ts';

const COUNT = 200;

test(`${COUNT} hostile commands answer in time, and leave what they may and nothing else`, async () => {
  const wrong: string[] = [];
  const room = await openToolRoom();
  for (let number = 0; number < COUNT; number++) {
    const hostile = HOSTILE_COMMANDS[number % HOSTILE_COMMANDS.length];
    if (hostile) wrong.push(...(await tryHostileCommand(room, hostile, 820_000 + number)));
  }
  await room.close();
  console.log(`${COUNT} hostile commands of ${HOSTILE_COMMANDS.length} kinds: ${wrong.length} things wrong`);
  expect(wrong).toEqual([]);
});
