import { execFileSync } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bashTool } from '../../src/tools/bash.ts';
import { grepTool } from '../../src/tools/grep.ts';
import { readTool } from '../../src/tools/read.ts';
import type { ToolResult } from '../../src/tools/tool.ts';
import type { Run } from '../../src/workspace/run.ts';
import { farOr, isBusybox } from '../support/far.ts';
import { noRun } from '../support/no-run.ts';
import { isRunning, processes, until } from '../support/processes.ts';
import { openToolRoom, type ToolRoom } from '../support/tool-room.ts';

// Processes are started by the hundred: a machine that is busy with others takes its time.
vi.setConfig({ testTimeout: 180_000 });

let shared: ToolRoom;
beforeAll(async () => {
  shared = await openToolRoom({ 'sub/x.txt': 'x\n' });
});
afterAll(() => shared.close());

async function room(
  files: Record<string, string> = {},
  options?: Parameters<typeof openToolRoom>[1],
): Promise<ToolRoom> {
  const opened = await openToolRoom(files, options);
  onTestFinished(() => opened.close());
  return opened;
}

/** What an answer says of the output: without its first line, and without what stands after it. */
function outputOf(text: string): string {
  return text.split('\n').slice(1).join('\n');
}

/** What a command changed has tests of its own. */
async function sh(command: string, more: Record<string, unknown> = {}): Promise<ToolResult> {
  const result = await shared.call(bashTool, { command, ...more });
  return { ...result, text: result.text.replace(/\nchanged: [^|\n]*$/, '').replace(/\nnote: .*$/, '') };
}

describe('Bash says how a command ended', () => {
  test.each([
    ['success without output', 'true', /^exit 0 \([\d.]+ s, no output\)$/, { code: 0 }],
    ['a failure with output', 'echo why; exit 4', /^exit 4 \([\d.]+ s\)\nwhy$/, { code: 4 }],
    // An executor tells a signal as its number and 128.
    [
      'a signal',
      'kill -9 $$',
      farOr(/^exit 137 \([\d.]+ s, no output\)$/, /^killed by SIGKILL \([\d.]+ s, no output\)$/),
      farOr({ code: 137 }, { signal: 'SIGKILL' }),
    ],
    ['both streams in one', 'echo a; echo b >&2; echo c', /^exit 0 \([\d.]+ s\)\na\nb\nc$/, { code: 0 }],
    ['no match of grep', 'ls | grep zzz', /^exit 1 \([\d.]+ s, no output\)$/, { code: 1 }],
    ['a program that is not there', 'nosuchprogram', /^exit 127 \([\d.]+ s\)\n.*nosuchprogram/, { code: 127 }],
    ['a difference', 'echo a >d1; echo b >d2; diff d1 d2 >/dev/null', /^exit 1 /, { code: 1 }],
    ['a test that is not so', '[ -f nope ]', /^exit 1 /, { code: 1 }],
    ['a file that is not there', 'grep z nope', /^exit 2 \([\d.]+ s\)\ngrep: nope/, { code: 2 }],
    ['the last of several', 'false; true', /^exit 0 /, { code: 0 }],
    [
      'silence in between',
      'for i in 1 2 3; do sleep 0.3; echo $i; done; exit 5',
      /^exit 5 \([\d.]+ s\)\n1\n2\n3$/,
      { code: 5 },
    ],
    ['a syntax error', 'if then', /^exit [12] \([\d.]+ s\)\n.*syntax error/, { code: expect.any(Number) }],
  ])('%s', async (_what, command, text, exit) => {
    const result = await sh(command);
    expect(result.text).toMatch(text);
    expect(result).toMatchObject({ ok: true, receipt: { exit } });
  });

  test.each([
    ['several lines', 'for i in 1 2; do\n  echo $i\ndone', '1\n2'],
    ['a here-document without a last line end', "cat > t.sh <<'EOF'\necho hi\nEOF\nsh t.sh && echo ok", 'hi\nok'],
    [
      'a here-document without its end',
      'cat <<EOF\nhi',
      `${isBusybox ? '' : "bash: line 2: warning: here-document at line 1 delimited by end-of-file (wanted `EOF')\n"}hi`,
    ],
    [
      'the bytes of the own grep',
      "printf '%6000s TOKEN\\n' z >s.md; grep -n TOKEN s.md | wc -c; grep -c TOKEN s.md",
      '6009\n1',
    ],
    ['CRLF throughout', "cat <<'EOF'\r\nhi\r\nEOF\r\necho ok", 'hi\nok'],
    ['quotes and dollars', `echo "$HOME" '$HOME' | sed "s,$HOME,H,"; echo \`echo t\``, 'H $HOME\nt'],
    ['bash where there is one, not sh', 'echo {1..3}', isBusybox ? '{1..3}' : '1 2 3'],
    ['wait, without a job', 'wait; echo waited', 'waited'],
    ['no terminal', 'tty; test -t 0 || echo none', 'not a tty\nnone'],
    ['an empty input', 'cat; read x; echo "rc=$?"', 'rc=1'],
    ['no controlling terminal', '{ read -p Pass: x </dev/tty; } 2>/dev/null; echo "rc=$?"', 'rc=1'],
    ['no pager, no editor', 'echo "$PAGER $GIT_EDITOR $GIT_TERMINAL_PROMPT"', 'cat true 0'],
    ['a search by grep, and another command after it', 'echo a >a1; grep z a1; true; echo "rc=$?"', 'rc=0'],
  ])('%s', async (_what, command, expected) => {
    expect(outputOf((await sh(command)).text)).toBe(expected);
  });

  // There is no git among busybox's programs.
  test.runIf(!isBusybox).each([
    [
      'git, with a message of several lines',
      'git init -q g && cd g && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m "a\n\n- b" && git log --oneline | wc -l',
      '1',
    ],
    [
      'git, without an editor',
      'git init -q h && cd h && git -c user.name=a -c user.email=a@b commit --allow-empty >/dev/null 2>&1; echo "rc=$?"',
      'rc=1',
    ],
    [
      'no question for a password',
      'git -c credential.helper= ls-remote https://127.0.0.1:1/x.git 2>/dev/null; git credential fill </dev/null 2>/dev/null; echo "rc=$?"',
      'rc=128',
    ],
  ])('%s', async (_what, command, expected) => {
    expect(outputOf((await sh(command)).text)).toBe(expected);
  });

  test('a command may be longer than an argument may be', async () => {
    const { text } = await sh(`wc -c <<'EOF'\n${'x'.repeat(300_000)}\nEOF`);
    expect(outputOf(text)).toBe('300001');
  });

  // There are no pgrep and pkill among busybox's programs there.
  test.runIf(!isBusybox)('the words of a command do not find the command itself', async () => {
    expect((await sh('pgrep -af "emend-word-3979"')).text).toMatch(/^exit 1 \([\d.]+ s, no output\)$/);
    expect(outputOf((await sh('pkill -f "emend-word-3980"; echo alive')).text)).toBe('alive');
  });

  test('cwd is of one call', async () => {
    const { folder } = shared;
    expect(outputOf((await sh('cd sub && pwd')).text)).toBe(join(folder, 'sub'));
    expect(outputOf((await sh('pwd')).text)).toBe(folder);
    expect(outputOf((await sh('pwd', { cwd: 'sub' })).text)).toBe(join(folder, 'sub'));
  });

  test('a cwd that is gone afterwards is no matter to the next call', async () => {
    await sh('mkdir -p gone/x');
    expect((await sh('rm -rf ../x; echo removed', { cwd: 'gone/x' })).text).toContain('removed');
    expect(outputOf((await sh('pwd')).text)).toBe(shared.folder);
    expect((await sh('pwd', { cwd: 'gone/x' })).text).toMatch(/^Error not_found: cwd gone\/x/);
  });

  test.each([
    ['a cwd that is not there', { command: 'touch ran', cwd: 'nope' }, 'not_found'],
    ['a cwd that is a file', { command: 'touch ran', cwd: 'sub/x.txt' }, 'invalid_arguments'],
    ['a cwd outside', { command: 'touch ran', cwd: '/' }, 'denied'],
    ['no command', { command: ' ' }, 'invalid_arguments'],
    ['a job that is not there', { job: 99 }, 'not_found'],
  ])('%s is refused and nothing is run', async (_what, args, code) => {
    const result = await shared.call(bashTool, args);
    expect(result).toMatchObject({ ok: false, receipt: { code } });
    await expect(stat(join(shared.folder, 'ran'))).rejects.toThrow();
  });
});

describe('Bash shows an output', () => {
  test.each([
    [
      'a progress bar as its last state',
      'for i in $(seq 0 100); do printf "\\r%3d%% [%s]" $i x; done; printf "\\ndone\\r\\n"; printf "abc\\rX\\n"',
      '100% [x]\ndone\nXbc',
    ],
    ['colours without their codes', "printf '\\033[31mred\\033[0m \\033]0;title\\007plain\\n'", 'red plain'],
    ['a NUL byte as an escape', "printf 'a\\0b\\n'", 'a\\0b'],
    ['bytes that are no text as escapes', "printf 'a\\377b\\n'", 'a\\xffb'],
    [
      'the last of screens drawn again',
      "echo before; for i in 1 2 3; do printf '\\033[2J\\033[Hscreen %d\\n' $i; done",
      'before\nscreen 3',
    ],
    ['blank lines and trailing blanks', "printf 'a\\n\\n  b  \\n'", 'a\n\n  b  '],
  ])('%s', async (_what, command, expected) => {
    expect(outputOf((await sh(command)).text)).toBe(expected);
  });

  test('what was left out is counted in the receipt', async () => {
    const { text, receipt } = await sh('seq 100000');
    expect(receipt.left_out).toBeGreaterThan(588_895 - 24 * 1024 - 200);
    expect(receipt.left_out).toBeLessThan(588_895 - 20 * 1024);
    expect(text).toContain('lines left out');
    expect((await sh('seq 10')).receipt).not.toHaveProperty('left_out');
  });

  test('a character that comes in two pieces is whole', async () => {
    const { text } = await sh("printf 'cleanup \\342'; sleep 0.1; printf '\\200\\224 end\\n'");
    expect(outputOf(text)).toBe('cleanup — end');
  });

  test('of a long output both ends, how much is left out, and a file that Read and Grep can open', async () => {
    const { text, receipt } = await sh('seq 1 400000; echo LAST');
    expect(text.length).toBeLessThan(30_000);
    expect(text).toMatch(/^exit 0 \([\d.]+ s\)\n1\n2\n3\n/);
    const [, left, total, path] =
      /\n… ([\d,]+) lines left out; all ([\d,]+) lines in (\S+) \(Read or Grep it\) …\n/.exec(text) ?? [];
    expect(text).toMatch(/\n399999\n400000\nLAST$/);
    expect(total).toBe('400,001');
    const shown = text.split('\n').length - 2;
    expect(Number(left?.replace(/,/g, ''))).toBe(400_001 - shown);
    expect(path).toBe(receipt.output_path);
    const whole = `${Array.from({ length: 400_000 }, (_, n) => `${n + 1}\n`).join('')}LAST\n`;
    expect(await readFile(path ?? '', 'utf8')).toBe(whole);
    expect((await shared.call(readTool, { file_path: path, offset: 300_000, limit: 1 })).text).toContain(
      '300000→300000',
    );
    expect((await shared.call(grepTool, { pattern: '^LAST$', path, output_mode: 'content' })).text).toContain(
      '400001:LAST',
    );
  });

  test('one long line is cut and marked, and what comes after it is seen', async () => {
    const { text } = await sh("head -c 3000000 /dev/zero | tr '\\0' A; echo; echo TAIL");
    expect(text.length).toBeLessThan(40_000);
    expect(text).toMatch(/\nTAIL$/);
    expect(text).toMatch(/left out/);
  });

  test('cuts fall between characters', async () => {
    const { text } = await sh(
      "for i in $(seq 50000); do printf '日本'; done; echo; for i in $(seq 9000); do echo '日本語'; done",
    );
    expect(text).not.toMatch(/\ufffd|\\x/);
  });

  test.each([20_000, 27_000, 29_900, 60_000])('status and errors are seen after %d bytes in a line', async (bytes) => {
    const { text } = await sh(`head -c ${bytes} /dev/zero | tr '\\0' x; echo; echo ERRSUM >&2; exit 3`);
    expect(text).toMatch(/^exit 3 /);
    expect(text).toMatch(/\nERRSUM$/);
  });

  test('a longer line is not shown at less length, up to the cap', async () => {
    const shown = [];
    for (const bytes of [500, 1500, 3000, 60_000]) {
      shown.push(
        outputOf((await sh(`head -c ${bytes} /dev/zero | tr '\\0' x; echo`)).text).replace(/[^x]/g, '').length,
      );
    }
    expect(shown.slice(0, 2)).toEqual([500, 1500]);
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
  });

  test('of an output over the cap of its file it is said how much is kept, and the end is in the file', async () => {
    const { text, receipt } = await sh('yes 0123456789 | head -c 75000000; echo; echo END');
    expect(text).toMatch(/\nEND\n\(71\.5 MB produced, 64\.\d MB kept: the cap of a file\)$/);
    const kept = await readFile(receipt.output_path ?? '', 'latin1');
    expect(kept.slice(-4)).toBe('END\n');
    expect(kept.match(/not kept: the cap of a file/g)).toHaveLength(1);
  });

  test('a binary output is told, not shown', async () => {
    const { text, receipt } = await sh('head -c 3000 /bin/ls');
    expect(outputOf(text)).toMatch(/^\[binary output, 2\.9 KB, in \S+\]$/);
    expect((await stat(receipt.output_path ?? '')).size).toBe(3000);
  });
});

describe('Bash ends what it must, and nothing else', () => {
  test('a command that waits for its own child is over at its deadline, with all it started', async () => {
    const { call, folder } = await room();
    const command = 'for i in $(seq 100); do echo $i >> log; sleep 0.1; done & echo part; wait';
    const result = await call(bashTool, { command, timeout: 1000 });
    expect(result).toMatchObject({ ok: false, receipt: { code: 'timeout' } });
    expect(result.text).toMatch(
      /^Error timeout: killed after 1(\.\d)? s with all its processes\. Output so far:\npart/,
    );
    const size = (await stat(join(folder, 'log'))).size;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await stat(join(folder, 'log'))).size).toBe(size);
  });

  test.each<[string, string]>([
    ['children that left the group', 'setsid sleep 7301 & sleep 7301'],
    ['children of children that left it', '(setsid sh -c "sleep 7302 & sleep 7302" &); sleep 7302'],
    ['what ignores the polite signal', `trap "" TERM; (trap "" TERM; while :; do sleep 7303; done) & sleep 7303`],
    ['busy loops', '(: 7304; while :; do :; done) & (: 7304; while :; do :; done) & sleep 7304'],
    // Behind an executor a process is known by its environment alone.
    ...farOr<[string, string][]>([], [['a child without the environment', 'env -i setsid sleep 7305 & sleep 7305']]),
    ['a search that ends, and a sleep after it', 'grep -rl zzz /proc/self/task 2>/dev/null; sleep 7311'],
    ['what writes a file', '(: 7312; dd if=/dev/zero of=/dev/null bs=1M) & sleep 7312'],
  ])('%s go too', async (_what, command) => {
    const marker = /7\d{3}/.exec(command)?.[0] ?? '';
    const result = await sh(command, { timeout: 500 });
    expect(result.receipt.code).toBe('timeout');
    expect(processes().filter((row) => row.command.includes(marker))).toEqual([]);
  });

  test('scripts in scripts end at the deadline, with what they printed', async () => {
    const shell = isBusybox ? 'sh' : 'bash';
    const script = `${shell} -c 'while :; do echo tick; sleep 0.1; done'; echo never`;
    const { call } = await room({ 'w.sh': script });
    const result = await call(bashTool, { command: `sh -c "${shell} w.sh"`, timeout: 1500 });
    expect(result.receipt.code).toBe('timeout');
    expect(result.text).toMatch(/Output so far:\ntick/);
    expect(result.text).not.toContain('never');
  });

  test('what is asked to end may clean up', async () => {
    const command = 'trap "echo cleaned; exit 3" TERM; echo begun; while :; do sleep 0.05; done';
    expect((await sh(command, { timeout: 1500 })).text).toMatch(/begun\n(Terminated\n)?cleaned$/);
  });

  test('a cancel is a cancel, with what there was', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 500);
    const result = await shared.call(bashTool, { command: 'echo part; sleep 7306' }, { signal: abort.signal });
    expect(result.receipt.code).toBe('cancelled');
    expect(result.text).toMatch(
      /^Error cancelled: stopped by the caller after [\d.]+ s with all its processes\. Output so far:\npart/,
    );
    expect(processes().filter((row) => row.command.includes('7306'))).toEqual([]);
  });

  test('a child in the background does not hold the answer, lives on, is listed, and can be ended', async () => {
    const { call, folder } = await room();
    const child = "until [ -e go ]; do sleep 0.05; done; echo LA''TE; exec sleep 7307";
    const first = await call(bashTool, { command: `(${child}) & echo now` });
    expect(first.text).toMatch(/^exit 0 \([\d.]+ s\)\nnow\nstill running: (\d+) \(.*\), job 1, [\d.]+ s$/);
    const second = await call(bashTool, { command: 'true' });
    expect(second.text).toMatch(/still running: .*, job 1/);
    const pid = Number(/still running: (\d+)/.exec(second.text)?.[1]);
    expect(isRunning(pid)).toBe(true);
    await writeFile(join(folder, 'go'), '');
    let fresh = '';
    while (!fresh.includes('LATE')) fresh += (await call(bashTool, { job: 1 })).text;
    expect((await call(bashTool, { job: 1 })).text).not.toContain('LATE');
    expect((await call(bashTool, { stop: 1 })).text).toMatch(/^job 1: exit 0 .*what it had left running was ended/);
    expect(isRunning(pid)).toBe(false);
    expect((await call(bashTool, { command: 'true' })).text).not.toContain('still running');
  });

  test('what a child prints while the answer is made is told once, there or with the job', async () => {
    const wait = 'until [ -e printed ]; do sleep 0.02; done';
    let looks = 0;
    const { call, folder, root } = await room();
    const { run } = root;
    const watched: Run = (argv, options) => {
      // The look for changed files after the command: the output has been taken by then.
      if (argv.includes('--files') && ++looks === farOr(1, 2)) {
        execFileSync('sh', ['-c', `touch go; ${wait}`], { cwd: folder });
      }
      return run(argv, options);
    };
    Object.assign(root, { run: watched });
    const child = "until [ -e go ]; do sleep 0.02; done; echo LA''TE; touch printed; exec sleep 7313";
    const first = await call(bashTool, { command: `(${child}) & echo now` });
    expect(first.text).toMatch(/^exit 0 .*\nnow\n/);
    const isThere = /^LATE$/m.test(first.text);
    expect((await call(bashTool, { job: 1 })).text).toMatch(isThere ? /no new output/ : /:\nLATE\n/);
    await call(bashTool, { stop: 1 });
  });

  // There is no pgrep among busybox's programs there.
  test.runIf(!isBusybox)('what was printed is told, however long the way of the output takes', async () => {
    // The relay is held still while a child in the background holds its pipe.
    const hold = 'r=$(pgrep -P $(pgrep -o -P $$) -x cat); kill -STOP $r; (sleep 2; kill -CONT $r) &';
    const { text } = await sh(`${hold} printf x`);
    expect(text).toMatch(/^exit 0 \([\d.]+ s\)\nx/);
  });

  test('what a child printed last can be read when it is over, and that is said once', async () => {
    const { call } = await room();
    const child = "until [ -e go ]; do sleep 0.05; done; echo LA''TE";
    const first = await call(bashTool, { command: `(${child}) & echo now` });
    expect(first.text).toMatch(/\nnow\nstill running: .*, job 1, /);
    const second = await call(bashTool, { command: 'touch go; sleep 2.5' });
    expect(second.text).toContain('what job 1 left running is over; job: 1 reads what it printed');
    expect((await call(bashTool, { command: 'true' })).text).not.toContain('job');
    expect((await call(bashTool, { job: 1 })).text).toContain('LATE');
    await call(bashTool, { command: 'true' });
    expect((await call(bashTool, { job: 1 })).text).toContain('there is no job 1');
  });

  test('what a child prints at its end is in the answer or told with its job, whenever it ends', async () => {
    const { call } = await room();
    for (const delay of [0.1, 0.4, 0.6, 0.8]) {
      const { text } = await call(bashTool, { command: `(sleep ${delay}; echo LATE) & echo now` });
      const job = /job:? (\d+)/.exec(text)?.[1];
      if (job !== undefined) {
        await call(bashTool, { command: 'sleep 1' });
        expect((await call(bashTool, { job })).text).toContain('LATE');
      } else expect(text).toContain('now\nLATE');
    }
  });

  test('a child that prints late does not hold the answer, however often', async () => {
    const { call } = await room();
    for (let times = 0; times < 8; times++) {
      const result = await call(bashTool, { command: '(sleep 1; echo LATE) & echo now' });
      expect(result.text).toMatch(/^exit 0 \([\d.]+ s\)\nnow(?:\n|$)/);
    }
  });

  test('a job in the background is started, read, and its end is told once', async () => {
    const { call } = await room();
    const started = await call(bashTool, { command: 'echo one; sleep 0.3; echo two; exit 5', run_in_background: true });
    expect(started.text).toMatch(/^started job 1(.*); job: 1 reads its new output, stop: 1 ends it$/);
    // An executor tells no process numbers.
    expect(/^started job 1(.*); job/.exec(started.text)?.[1]).toMatch(farOr(/^$/, /^ \(pid \d+\)$/));
    let text = '';
    while (!text.includes('exit 5')) text += `${(await call(bashTool, { job: 1 })).text}\n`;
    expect(text).toContain('one');
    expect(text).toContain('two');
    expect(text).toMatch(/job 1: exit 5/);
    expect((await call(bashTool, { command: 'true' })).text).not.toContain('job 1');
  });

  test.each([false, true])('a command that can not be started is refused: run_in_background %s', async (isBehind) => {
    const { call, root } = await room();
    Object.assign(root, { run: noRun });
    const { text, receipt } = await call(bashTool, { command: 'true', run_in_background: isBehind });
    expect({ text, code: receipt.code }).toEqual({
      text: 'Error io: the shell did not start: nothing starts here.',
      code: 'io',
    });
    expect((await call(bashTool, { job: 1 })).text).toBe('Error not_found: there is no job 1. No job runs.');
  });

  test('a job has its deadline too, and its end is told with the next answer', async () => {
    const { call } = await room();
    await call(bashTool, { command: 'sleep 7308', run_in_background: true, timeout: 300 });
    expect(await until(() => !processes().some((row) => row.command.includes('sleep 7308')), 5000)).toBe(true);
    let text = '';
    while (!text.includes('job 1 ended')) text = (await call(bashTool, { command: 'true' })).text;
    expect(text).toMatch(/job 1 ended: killed after [\d.]+ s with all its processes/);
    expect((await call(bashTool, { command: 'true' })).text).not.toContain('job 1');
  });

  test('a job is ended by its number as job and stop: true as well', async () => {
    const { call } = await room();
    await call(bashTool, { command: 'sleep 7311', run_in_background: true });
    await call(bashTool, { command: 'sleep 7312', run_in_background: true });
    expect((await call(bashTool, { job: 2, stop: false })).text).toMatch(/^still running, job 2 /);
    expect((await call(bashTool, { job: 2, stop: true })).text).toMatch(/^job 2: stopped after [\d.]+ s with all/);
    expect(processes().filter((row) => row.command.includes('sleep 7312'))).toEqual([]);
    expect(processes().filter((row) => row.command.includes('sleep 7311'))).not.toEqual([]);
    expect((await call(bashTool, { job: '1', stop: 'true' })).text).toMatch(/^job 1: stopped after/);
  });

  test('a caller that gives up early is answered before, with the job to ask for', async () => {
    const { call } = await room();
    const result = await call(bashTool, { command: 'echo begun; sleep 7309' }, { answerWithinMs: 2000 });
    expect(result.text).toMatch(/^still running, job 1 \([\d.]+ s\):\nbegun$/);
    expect((await call(bashTool, { stop: 1 })).text).toMatch(/^job 1: stopped after [\d.]+ s with all its processes/);
    expect(processes().filter((row) => row.command.includes('7309'))).toEqual([]);
  });

  test.each([
    ['a question', 'printf "Proceed? "; sleep 7310', 'seems to wait for an answer'],
    [
      'a screen that never ends',
      "while :; do printf '\\033[2J\\033[HRefreshing... Press Ctrl+C to quit\\n'; sleep 0.1; done",
      'run_in_background',
    ],
  ])('a deadline after %s says what it looks like', async (_what, command, words) => {
    const { text } = await sh(command, { timeout: 600 });
    expect(text).toContain(words);
    expect(text.match(/Refreshing/g)?.length ?? 1).toBe(1);
  });
});

test('the language servers hear of what a command changed', async () => {
  const { call, root, folder } = await room({ 'a.txt': 'a\n' });
  const told: string[] = [];
  root.diagnostics.filesChanged = async (paths) => {
    told.push(...paths);
  };
  const { text } = await call(bashTool, { command: 'echo n > new.ts' });
  expect(text).toMatch(/\nchanged: (a\.txt, )?new\.ts(, a\.txt)?$/);
  expect(told).toContain(join(folder, 'new.ts'));
});

test.each([
  ['is in the background', { run_in_background: true }, {}],
  ['its caller did not wait for', {}, { answerWithinMs: 100 }],
])('the language servers hear of what a command changed that %s', async (_what, args, options) => {
  const { call, root, folder } = await room({ 'a.txt': 'a\n' });
  const told: string[] = [];
  root.diagnostics.filesChanged = async (paths) => {
    told.push(...paths);
  };
  const command = 'until [ -e go ]; do sleep 0.02; done; echo n > new.ts';
  expect((await call(bashTool, { command, ...args }, options)).text).toMatch(/^(?:started|still running, )/);
  await writeFile(join(folder, 'go'), '');
  let text = '';
  while (!text.includes('exit 0')) ({ text } = await call(bashTool, { job: 1 }));
  expect(told).toContain(join(folder, 'new.ts'));
});

test('of the many processes of a job ten are named, each on one line', async () => {
  const { call } = await room();
  const command = 'for i in $(seq 15); do sleep 7320 & done';
  await call(bashTool, { command });
  const { text } = await call(bashTool, { job: 1 });
  expect(text.match(/sleep 7320/g)).toHaveLength(10);
  expect(text).toMatch(/\nstill running: .* and 5 more$/);
  await call(bashTool, { stop: 1 });
});

test('a cwd that is taken for another name is said to be', async () => {
  const { call } = await room({ 'my sub/x.txt': 'x\n' });
  const { text } = await call(bashTool, { command: 'ls', cwd: 'my\u00a0sub' });
  expect(text).toMatch(/^exit 0 \([\d.]+ s\)\nx\.txt\n/);
  expect(text).toMatch(/\nnote: this is "my sub"; its name has other characters that look the same$/);
});

test('what a command changed is named: what it wrote, what it took away, and what got another name', async () => {
  const opened = await room({
    '.gitignore': 'out/\n',
    'a.ts': 'a\n',
    'b.ts': 'b\n',
    'src/c.ts': 'c\n',
    'keep.ts': 'k\n',
  });
  const changes = async (command: string) => {
    const { text, receipt } = await opened.call(bashTool, { command });
    return [text.split('\n').find((line) => line.startsWith('changed: ')), receipt.changed];
  };
  // The clock of another machine is known less well.
  const base = farOr('sleep 0.05; ', '');
  expect(await changes(`${base}true`)).toEqual([undefined, []]);
  // Behind an executor nobody looks before a command: what is gone, or has an old time, is not seen.
  expect(await changes(`${base}rm a.ts`)).toEqual(farOr([undefined, []], ['changed: a.ts (gone)', ['a.ts']]));
  expect(await changes(`${base}mv b.ts src/d.ts`)).toEqual(
    farOr([undefined, []], ['changed: src/d.ts, b.ts (gone)', ['src/d.ts', 'b.ts']]),
  );
  expect(await changes(`${base}echo x >> keep.ts; touch -d 2001-01-01 keep.ts`)).toEqual(
    farOr([undefined, []], ['changed: keep.ts', ['keep.ts']]),
  );
  await changes('sleep 0.05');
  expect(await changes(`${base}touch -d 2001-01-01 s.ts; cp -p s.ts "$(printf 'n\\nl.ts')"; rm s.ts`)).toEqual(
    farOr([undefined, []], ['changed: n\\nl.ts', ['n\nl.ts']]),
  );
  expect(await changes(`${base}mkdir -p out; echo x > out/x`)).toEqual([undefined, []]);
  // Taken away by others, before the command.
  await rm(join(opened.folder, 'keep.ts'));
  expect(await changes(`${base}true`)).toEqual([undefined, []]);
});

test('a command with a NUL character is not run as another one', async () => {
  const { ok, text } = await shared.call(bashTool, { command: 'echo ran > ran\0.txt' });
  expect(ok).toBe(false);
  expect(text).toMatch(/^Error invalid_arguments: the command has a NUL character/);
});

test('a command beside the number of a job is said not to have been run', async () => {
  const opened = await room();
  await opened.call(bashTool, { command: 'sleep 7319', run_in_background: true });
  for (const how of ['job', 'stop']) {
    const { text } = await opened.call(bashTool, { command: 'echo ran', [how]: 1 });
    expect(text).toMatch(new RegExp(`\nnote: the command was not run; leave ${how} out to run it$`));
  }
});

test('compressed bytes are a binary output, and a text with some odd ones is not', async () => {
  expect((await sh('head -c 100000 /dev/urandom')).text).toMatch(/^exit 0 .*\n\[binary output, 97.7 KB, in \S+\]$/);
  expect((await sh('seq 100000 | gzip -c')).text).toContain('[binary output, ');
  const { text } = await sh("for i in $(seq 100); do printf 'caf\\xe9 \\0 word\\n'; done");
  expect(text).toContain('\ncaf\\xe9 \\0 word\n');
});
