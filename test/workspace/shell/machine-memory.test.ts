import { expect, test } from 'vitest';
import { localRun } from '../../../src/workspace/local-run.ts';
import { localMachineMemory } from '../../../src/workspace/shell/local-machine-memory.ts';
import { isLow, machineMemory } from '../../../src/workspace/shell/machine-memory.ts';
import { runProcessTable } from '../../../src/workspace/shell/run-process-table.ts';

const MEMINFO = 'MemTotal:       2000 kB\nMemFree:         100 kB\nMemAvailable:   1500 kB\n';
const MACHINE = { free: 1500 * 1024, all: 2000 * 1024 };
const V1_UNBOUND = ['9223372036854771712\n', '500\n', 'total_inactive_file 0\n'];

test.each([
  ['a machine', [MEMINFO, '', '', '', '', '', ''], MACHINE],
  ['a container', [MEMINFO, '1000\n', '950\n', 'anon 1\ninactive_file 30\n', '', '', ''], { free: 80, all: 1000 }],
  ['a container without a bound', [MEMINFO, 'max\n', '950\n', 'inactive_file 30\n', '', '', ''], MACHINE],
  [
    'one of the first version',
    [MEMINFO, '', '', '', '1000\n', '700\n', 'total_inactive_file 9\n'],
    { free: 309, all: 1000 },
  ],
  ['the first version without a bound', [MEMINFO, '', '', '', ...V1_UNBOUND], MACHINE],
  ['a container that has more than it may', [MEMINFO, '1000\n', '1001\n', '', '', '', ''], { free: 0, all: 1000 }],
  ['a system that does not tell', ['', '', '', '', '', '', ''], undefined],
] as const)('%s: %j is read', (_what, texts, expected) => {
  expect(machineMemory(texts)).toEqual(expected);
});

test('a tenth of it is little, a fifth is not', () => {
  expect([isLow({ free: 10, all: 100 }), isLow({ free: 20, all: 100 })]).toEqual([true, false]);
});

test('the same is seen by a second command where only that reaches', async () => {
  const here = await localMachineMemory();
  expect(here?.all).toBeGreaterThan(0);
  expect((await runProcessTable(localRun, '/').memory())?.all).toBe(here?.all);
});
