import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLocalPathLocks, createPathLockFiles } from '../../src/workspace/local-path-lock.ts';
import { ownProcess, processState } from '../../src/workspace/local-process-identity.ts';
import { createPathLocks } from '../../src/workspace/path-locks.ts';
import { bundledProgram } from '../support/bundled-program.ts';

const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'path-locks-'));

test('one at a time for each path, in the order in which they came', async () => {
  const locks = createPathLocks();
  const order: number[] = [];
  let inside = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      locks.withPathLocks(['/a'], undefined, async () => {
        inside += 1;
        expect(inside).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(index);
        inside -= 1;
      }),
    ),
  );
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('other paths do not wait; several are taken in one order, so that no two callers block each other', async () => {
  const locks = createPathLocks();
  const free = await locks.withPathLocks(['/a'], undefined, () =>
    createPathLocks().withPathLocks(['/b'], undefined, async () => 'not held up'),
  );
  expect(free).toBe('not held up');
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      locks.withPathLocks(index % 2 ? ['/a', '/b', '/a'] : ['/b', '/a'], undefined, async () => {
        await new Promise((resolve) => setImmediate(resolve));
      }),
    ),
  );
});

test('a failure and a caller that gives up pass the turn on', async () => {
  const locks = createPathLocks();
  let open = (): void => undefined;
  const held = locks.withPathLocks(
    ['/a'],
    undefined,
    () =>
      new Promise<void>((resolve) => {
        open = resolve;
      }),
  );
  const abort = new AbortController();
  const givesUp = locks.withPathLocks(['/a'], abort.signal, async () => 'never');
  const fails = locks.withPathLocks(['/a'], undefined, async () => {
    throw new Error('failed');
  });
  const last = locks.withPathLocks(['/a'], undefined, async () => 'last');
  abort.abort(new Error('given up'));
  await expect(givesUp).rejects.toThrow('given up');
  open();
  await held;
  await expect(fails).rejects.toThrow('failed');
  expect(await last).toBe('last');
});

/** The reason of a signal, once it has one. */
const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

test('the lock of a process that died is taken over, that of a living one is waited for', async () => {
  const dir = await folder();
  const lock = createPathLockFiles(dir);
  const release = await lock.acquire('/a');
  const [name = ''] = await readdir(dir);
  const abort = AbortSignal.timeout(50);
  const [, reason] = await Promise.all([expect(lock.acquire('/a', abort)).rejects.toThrow(), aborted(abort)]);
  await expect(lock.acquire('/a', abort)).rejects.toBe(reason);
  await release();
  expect(await readdir(dir)).toEqual([]);

  const dead = ownProcess.replace(/\.\d+\./, '.4194304.');
  expect(processState(dead)).toBe('dead');
  await symlink(`${dead}.0123456789abcdef`, join(dir, name));
  // Who began to take it away died as well.
  await symlink(`${dead}.fedcba9876543210`, join(dir, `${name}-0123456789abcdef`));
  await (await lock.acquire('/a'))();
  expect(await readdir(dir)).toEqual([]);
});

test('identities: this process lives, a used number with another start is dead, another machine is unknown', () => {
  expect(processState(ownProcess)).toBe('alive');
  expect(processState(ownProcess.replace(/\d+$/, '1'))).toBe('dead');
  expect(processState('abcdefabcdef.1.1')).toBe('unknown');
  expect(processState('')).toBe('unknown');
});

test('processes that count in one file lose no count, though one is killed while it holds the lock', async () => {
  const dir = await folder();
  const counter = join(dir, 'counter');
  await writeFile(counter, '0');
  const start = (count: number) =>
    fork(bundledProgram('count-under-lock.ts'), [join(dir, 'locks'), counter, String(count)], {
      execArgv: [],
    });
  const doomed = start(-1);
  await once(doomed, 'message');
  doomed.kill('SIGKILL');
  const others = [start(40), start(40), start(40)];
  expect(await Promise.all(others.map(async (child) => (await once(child, 'exit'))[0]))).toEqual([0, 0, 0]);
  expect(await readFile(counter, 'utf8')).toBe('120');
  expect(await readdir(join(dir, 'locks'))).toEqual([]);
});

test('locks among processes and callers together', async () => {
  const locks = createLocalPathLocks(await folder());
  let inside = 0;
  await Promise.all(
    Array.from({ length: 10 }, () =>
      locks.withPathLocks(['/a', '/b'], undefined, async () => {
        inside += 1;
        expect(inside).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
      }),
    ),
  );
});
