import { tmpdir } from 'node:os';
import { runInNewContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { localRun } from '../../src/workspace/local-run.ts';
import { countYoungBuffer } from '../../src/workspace/local-young-buffers.ts';

const MB = 1024 ** 2;

test('what a command prints is given back while it is read', async () => {
  const { stdout, exit } = localRun(['head', '-c', String(200 * MB), '/dev/zero'], { cwd: tmpdir(), stdin: 'none' });
  const before = process.memoryUsage().arrayBuffers;
  let bytes = 0;
  let most = 0;
  stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  });
  await exit;
  if (!stdout.closed) await new Promise((resolve) => stdout.once('close', resolve));
  expect(bytes).toBe(200 * MB);
  expect(most).toBeLessThan(16 * MB);
});

test('the program that we are part of finds the engine as it was', () => {
  const source = '(() => 1 + 1)()';
  const compiled = new Script(source).createCachedData();
  const exposed = typeof globalThis.gc;
  for (let times = 0; times < 5; times++) countYoungBuffer(8 * MB);
  expect(typeof globalThis.gc).toBe(exposed);
  expect(runInNewContext('typeof gc')).toBe(exposed);
  // Code that was compiled under other flags would be refused.
  expect(new Script(source, { cachedData: compiled }).cachedDataRejected).toBe(false);
});
