import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { localRun } from '../../src/workspace/local-run.ts';

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
