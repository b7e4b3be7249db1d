import { expect, test } from 'vitest';
import { onEnd } from '../../../src/workspace/language-server/on-end.ts';
import type { ServerSession } from '../../../src/workspace/language-server/server-session.ts';

const session = (ended: Promise<string>): ServerSession => ({ ended }) as ServerSession;

test('whoever waits for the end of a session is told, before and after it, unless it was taken back', async () => {
  const told: string[] = [];
  let end: (reason: string) => void = () => {};
  const one = session(new Promise((resolve) => (end = resolve)));
  onEnd(one, (reason) => told.push(`first ${reason}`));
  onEnd(one, () => told.push('never'))();
  end('gone');
  await one.ended;
  await new Promise(setImmediate);
  onEnd(one, (reason) => told.push(`late ${reason}`));
  onEnd(one, () => told.push('never'))();
  await new Promise(setImmediate);
  expect(told).toEqual(['first gone', 'late gone']);
});

test('a session that ends holds one listener, however many waited for it', () => {
  let count = 0;
  const ended = new Promise<string>(() => {});
  const one = {
    get ended() {
      count++;
      return ended;
    },
  } as ServerSession;
  for (let wait = 0; wait < 100; wait++) onEnd(one, () => {})();
  expect(count).toBe(1);
});
