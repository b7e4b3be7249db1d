import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Watchdog } from '../../../src/workspace/language-server/watchdog.ts';
import { localRun } from '../../../src/workspace/local-run.ts';

test('a group that does not end by itself is ended, also where it does not listen to a polite signal', async () => {
  const watchdog = new Watchdog(localRun, '/');
  const servers = ['sleep 60', "trap '' TERM; sleep 60; sleep 60"].map((script) =>
    spawn('sh', ['-c', script], { detached: true, stdio: 'ignore' }),
  );
  const ended = servers.map((server) => once(server, 'exit'));
  for (const { pid } of servers) await watchdog.add(Number(pid));
  await watchdog.close();
  expect((await Promise.all(ended)).map(([, signal]) => signal)).toEqual(['SIGTERM', 'SIGKILL']);
});
