import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { localRun } from '../../src/workspace/local-run.ts';
import { isRunning } from '../support/processes.ts';

const cwd = tmpdir();

describe('localRun', () => {
  test('gives output, and the exit code as a value', async () => {
    const command = localRun(['sh', '-c', 'echo out; echo err >&2; exit 3'], { cwd, stdin: 'none' });
    expect(await Promise.all([text(command.stdout), text(command.stderr)])).toEqual(['out\n', 'err\n']);
    expect(await command.exit).toEqual({ kind: 'code', code: 3 });
  });

  test('a command without stdin reads an empty input, one with a pipe reads what is written', async () => {
    expect(await text(localRun(['cat'], { cwd, stdin: 'none' }).stdout)).toBe('');
    const command = localRun(['cat'], { cwd, stdin: 'pipe' });
    command.stdin?.end('given');
    expect(await text(command.stdout)).toBe('given');
  });

  test('env is set on top of ours, and undefined removes a name', async () => {
    const env = { EMEND_TEST_SET: 'yes', PATH: process.env.PATH, HOME: undefined };
    const command = localRun(['sh', '-c', 'echo "$EMEND_TEST_SET" "$' + '{HOME-none}"'], { cwd, env, stdin: 'none' });
    expect(await text(command.stdout)).toBe('yes none\n');
  });

  test.each(['.:', ':', 'bin:', './bin:'])(
    'a program in the working directory is not taken for a command by PATH=%s',
    async (start) => {
      const folder = mkdtempSync(join(tmpdir(), 'emend-path-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      mkdirSync(join(folder, 'bin'));
      for (const name of ['sh', 'bin/sh', 'only-here']) {
        writeFileSync(join(folder, name), '#!/bin/sh\necho planted\n', { mode: 0o755 });
      }
      const env = { PATH: `${start}${process.env.PATH}` };
      const command = localRun(['sh', '-c', 'echo "$0" ran', 'it'], { cwd: folder, env, stdin: 'none' });
      expect(await text(command.stdout)).toBe('it ran\n');
      expect(await localRun(['only-here'], { cwd: folder, env, stdin: 'none' }).exit).toEqual({
        kind: 'not_started',
        reason: '"only-here" is not on PATH',
      });
    },
  );

  test('the command leads a session and process group of its own', async () => {
    const command = localRun(['sh', '-c', 'ps -o pid=,pgid=,sid= -p $$'], { cwd, stdin: 'none' });
    const ids = (await text(command.stdout)).trim().split(/\s+/).map(Number);
    expect(ids).toEqual([command.pid, command.pid, command.pid]);
  });

  test('kill ends the whole group', async () => {
    const command = localRun(['sh', '-c', 'sleep 60 & echo $!; wait'], { cwd, stdin: 'none' });
    const [chunk] = (await once(command.stdout, 'data')) as [Buffer];
    const child = Number(chunk.toString());
    command.kill('SIGKILL');
    expect(await command.exit).toEqual({ kind: 'signal', signal: 'SIGKILL' });
    await text(command.stdout);
    expect(isRunning(child)).toBe(false);
    expect(() => command.kill('SIGKILL')).not.toThrow();
  });

  test('an abort ends a group that ignores SIGTERM', async () => {
    const abort = new AbortController();
    const script = "trap '' TERM; echo ready; while :; do sleep 0.05; done";
    const command = localRun(['sh', '-c', script], { cwd, stdin: 'none', signal: abort.signal });
    await once(command.stdout, 'data');
    abort.abort();
    expect(await command.exit).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  });

  test.each([
    ['a name that is not on PATH', 'emend-no-such-command', cwd, '"emend-no-such-command" is not on PATH'],
    ['a file that is missing', '/no/such/file', cwd, 'there is no file /no/such/file'],
    ['a file that is not executable', '/etc/passwd', cwd, '/etc/passwd is not executable'],
    ['a folder that is missing', 'sh', '/no/such/folder', 'there is no folder /no/such/folder'],
  ])('%s is not_started, with the reason', async (_what, name, folder, reason) => {
    const command = localRun([name], { cwd: folder, stdin: 'pipe' });
    command.stdin?.write('nobody reads this');
    expect(await command.exit).toEqual({ kind: 'not_started', reason });
    expect(await text(command.stdout)).toBe('');
  });
});
