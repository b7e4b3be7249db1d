import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bashTool } from '../../src/tools/bash.ts';
import { COMMAND_MS, commandDeadline } from '../../src/tools/command-deadline.ts';
import { isBusybox } from '../support/far.ts';
import { isRunning, processes } from '../support/processes.ts';
import { openToolRoom } from '../support/tool-room.ts';

vi.setConfig({ testTimeout: 180_000 });

async function room(files: Record<string, string> = {}) {
  const opened = await openToolRoom(files);
  onTestFinished(() => opened.close());
  return opened;
}

// There is no git among busybox's programs.
test.runIf(!isBusybox)(
  'a diff of 50 MB is a short answer, and its file is the diff byte for byte: git takes it',
  async () => {
    const lines = Array.from(
      { length: 800_000 },
      (_, n) => `line ${n} of a file that was made, ${n * 7919} and ${n}\n`,
    );
    const { call, folder } = await room({ 'gen.txt': lines.join('').padEnd(50 * 1024 ** 2, 'x') });
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const { text, receipt } = await call(bashTool, { command: 'git add -A && git diff --cached' });
    expect(text).toMatch(/^exit 0 \([\d.]+ s\)\ndiff --git a\/gen\.txt b\/gen\.txt\n/);
    expect(text).toMatch(/\n… [\d,]+ lines left out; all [\d,]+ lines in \S+ \(Read or Grep it\) …\n/);
    expect(Buffer.byteLength(text)).toBeLessThan(40 * 1024);
    const other = mkdtempSync(join(tmpdir(), 'emend-applied-'));
    onTestFinished(() => rmSync(other, { recursive: true }));
    execFileSync('git', ['init', '-q'], { cwd: other });
    execFileSync('git', ['apply', receipt.output_path ?? ''], { cwd: other, stdio: 'pipe' });
    expect(readFileSync(join(other, 'gen.txt')).equals(readFileSync(join(folder, 'gen.txt')))).toBe(true);
  },
);

test.each([
  [undefined, 'here', COMMAND_MS.default],
  [-1, 'here', COMMAND_MS.default],
  [0, 'here', COMMAND_MS.default],
  [Number.NaN, 'here', COMMAND_MS.default],
  [1e12, 'here', COMMAND_MS.most],
  [1500, 'here', 1500],
  [-1, 'in_background', undefined],
  [1e12, 'in_background', COMMAND_MS.most],
] as const)('a timeout of %s, %s, is never without bound: %s', (timeout, where, expected) => {
  expect(commandDeadline(timeout, where)).toBe(expected);
});

test('a command that asks for ever and is never answered ends, is bounded, and leaves nothing', async () => {
  const { call } = await room({ 'loop-7321.sh': "while :; do echo '> Please enter a value'; read x; done\n" });
  const { text, receipt } = await call(bashTool, { command: 'sh loop-7321.sh', timeout_ms: 1000 });
  expect(receipt.code).toBe('timeout');
  expect(Buffer.byteLength(text)).toBeLessThan(40 * 1024);
  expect(processes().filter(({ command }) => command.includes('loop-7321'))).toEqual([]);
});

// There is no Node there to hold memory.
test.runIf(!isBusybox)(
  'what runs in the background is listed with its pid, its memory where that is much, and its age',
  async () => {
    const { call } = await room();
    const script = `const held = Buffer.alloc(90e6, 1); setTimeout(() => held, 600e3)`;
    const { text: first } = await call(bashTool, { command: `node -e '${script}' & sleep 7322 & echo now` });
    expect(first).toMatch(/\nstill running: /);
    const listed = /still running: (\d+) \(node -e .*…, 1\d\d\.\d MB\), (\d+) \(sleep 7322\), job 1, [\d.]+ s$/;
    let text = '';
    await vi.waitUntil(
      async () => {
        text = (await call(bashTool, { command: 'true' })).text;
        return listed.test(text);
      },
      { timeout: 60_000, interval: 200 },
    );
    const pids = listed.exec(text)?.slice(1).map(Number) ?? [];
    expect(pids.map(isRunning)).toEqual([true, true]);
    await call(bashTool, { stop: 1 });
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect((await call(bashTool, { command: 'true' })).text).not.toContain('still running');
  },
);

test('what is told while a command is silent states a fact and asks for nothing', async () => {
  const { call } = await room();
  const told: string[] = [];
  const onProgress = (message: string) => void told.push(message);
  const { text } = await call(bashTool, { command: 'sleep 6; echo ok' }, { onProgress });
  expect(text).toMatch(/^exit 0 \([\d.]+ s\)\nok$/);
  expect(told.length).toBeGreaterThan(0);
  for (const message of told) expect(message).toMatch(/^running for [\d.]+ s$/);
  const early = await call(bashTool, { command: 'sleep 7323' }, { answerWithinMs: 2000 });
  expect(early.text).toMatch(/^still running, job 1 \([\d.]+ s\), no new output$/);
  await call(bashTool, { stop: 1 });
});

test('a command reads no ~/.bashrc, also where no shell is above the one that runs it', async () => {
  const { call, folder } = await room({ 'users/one/.bashrc': 'echo the rc was read\n' });
  vi.stubEnv('HOME', join(folder, 'users/one'));
  vi.stubEnv('SHLVL', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { text } = await call(bashTool, { command: 'echo now' });
  expect(text).toMatch(/^exit 0 \([\d.]+ s\)\nnow$/);
});
