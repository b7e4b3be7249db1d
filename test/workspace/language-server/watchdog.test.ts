import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { Watchdog } from '../../../src/workspace/language-server/watchdog.ts';
import { localRun } from '../../../src/workspace/local-run.ts';

test('a group that does not end by itself is ended, also where it does not listen to a polite signal', async () => {
  const watchdog = new Watchdog(localRun, '/');
  const servers = ['echo; sleep 60', "trap '' TERM; echo; sleep 60; sleep 60"].map((script) =>
    spawn('sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  // Until then a signal could come before it is told not to listen.
  await Promise.all(servers.map(({ stdout }) => once(stdout, 'data')));
  const ended = servers.map((server) => once(server, 'exit'));
  for (const { pid } of servers) await watchdog.add(Number(pid));
  await watchdog.close();
  expect((await Promise.all(ended)).map(([, signal]) => signal)).toEqual(['SIGTERM', 'SIGKILL']);
});
