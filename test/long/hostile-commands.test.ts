import { expect, test } from 'vitest';
import { HOSTILE_COMMANDS, tryHostileCommand } from '../support/hostile-commands.ts';
import { openToolRoom } from '../support/tool-room.ts';

const COUNT = 200;

test(`${COUNT} hostile commands answer in time, and leave what they may and nothing else`, {
  timeout: 900_000,
}, async () => {
  const wrong: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    const room = await openToolRoom();
    while (next < COUNT) {
      const number = next++;
      const hostile = HOSTILE_COMMANDS[number % HOSTILE_COMMANDS.length];
      if (hostile) wrong.push(...(await tryHostileCommand(room, hostile, 820_000 + number)));
    }
    await room.close();
  };
  await Promise.all([worker(), worker(), worker()]);
  console.log(`${COUNT} hostile commands of ${HOSTILE_COMMANDS.length} kinds: ${wrong.length} things wrong`);
  expect(wrong).toEqual([]);
});
