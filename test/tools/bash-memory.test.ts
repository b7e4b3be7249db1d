import { expect, test } from 'vitest';
import { callsInState, canMount } from '../support/other-machine.ts';
import { processes } from '../support/processes.ts';
import { makeProject } from '../support/project.ts';

/** A container of 1 GB, of which so much is in use. */
const container = (used: number) => `mount -t tmpfs tmpfs /sys/fs/cgroup
echo 1000000000 >/sys/fs/cgroup/memory.max
echo ${used} >/sys/fs/cgroup/memory.current
echo inactive_file 50000000 >/sys/fs/cgroup/memory.stat`;

const start = (count: number) =>
  Array.from({ length: count }, () => ({ tool: 'Bash', args: { command: 'nohup sleep 7351 & echo $!' } }));
const stop = (count: number) => Array.from({ length: count }, (_, n) => ({ tool: 'Bash', args: { stop: n + 1 } }));
const LOOK = { tool: 'Bash', args: { command: 'true' } };

test.runIf(canMount().isPossible).each([
  [10, 960_000_000, '; all but 90 MB of the container is in use: it is told', /\| memory: 85\.8 MB of 953\.7 MB free$/],
  [2, 500_000_000, '; half of it is free: nothing is said of it', /^(?!.*memory:)/s],
])(
  '%i commands that run on are listed, and stopped by their numbers; %i bytes in use%s',
  (count, used, _what, expected) => {
    const project = makeProject({});
    const at = { root: project.root, state: project.path('state'), script: container(used) };
    const told = callsInState(at, [...start(count), LOOK, ...stop(count), LOOK]);
    const listed = told[count]?.text ?? '';
    for (let n = 1; n <= count; n++)
      expect(listed).toMatch(new RegExp(`still running: \\d+ \\(sleep 7351\\), job ${n}, [\\d.]+ s`));
    expect(listed).toMatch(expected);
    expect(told.slice(count + 1, -1).map(({ ok }) => ok)).toEqual(stop(count).map(() => true));
    expect(told.at(-1)?.text).toMatch(/^exit 0 \([\d.]+ s, no output\)/);
    expect(told.at(-1)?.text).not.toMatch(/still running|memory/);
    expect(processes().filter(({ command }) => command === 'sleep 7351')).toEqual([]);
  },
  60_000,
);
