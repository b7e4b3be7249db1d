import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { bashTool } from '../../src/tools/bash.ts';
import { farOr, isBusybox, isFar } from './far.ts';
import type { ToolRoom } from './tool-room.ts';

/** A command that makes trouble; N in it becomes a number that no other has. */
interface HostileCommand {
  readonly name: string;
  readonly command: string;
  /** `deadline`: it never ends by itself. `leaves`: it ends, and a child lives on. `ends`: it ends and leaves nothing. */
  readonly kind: 'deadline' | 'leaves' | 'ends';
}

const DAEMON = 'use POSIX; exit if fork; POSIX::setsid(); exit if fork; close STDOUT; close STDERR; sleep N';
const STUBBORN = '$SIG{$_} = "IGNORE" for qw(HUP INT TERM); use POSIX; fork or POSIX::setsid(); sleep N while 1';

const ALL: readonly HostileCommand[] = [
  { name: 'a long sleep', kind: 'deadline', command: 'sleep N' },
  { name: 'waits for its own child', kind: 'deadline', command: 'sleep N & wait' },
  { name: 'a child in another session', kind: 'deadline', command: 'setsid sleep N & sleep N' },
  {
    name: 'grandchildren in another session',
    kind: 'deadline',
    command: "(setsid sh -c 'sleep N & sleep N' &); sleep N",
  },
  { name: 'ignores the polite signal', kind: 'deadline', command: 'trap "" TERM INT HUP; while :; do sleep N; done' },
  {
    name: 'answers the polite signal with more',
    kind: 'deadline',
    command: 'trap "setsid sleep N &" TERM; while :; do sleep 0.1; done',
  },
  { name: 'prints for ever', kind: 'deadline', command: 'yes N' },
  { name: 'works for ever', kind: 'deadline', command: 'yes N > /dev/null & while :; do :; done' },
  { name: 'reads from the terminal, then sleeps', kind: 'deadline', command: 'cat /dev/tty; cat; sleep N' },
  { name: 'nohup', kind: 'deadline', command: 'nohup sleep N >/dev/null 2>&1 & sleep N' },
  { name: 'shells in shells', kind: 'deadline', command: 'bash -c "bash -c \\"sleep N; :\\"; :"; :' },
  { name: 'a process that ignores signals in another session', kind: 'deadline', command: `perl -e '${STUBBORN}'` },
  { name: 'a daemon, and a wait', kind: 'deadline', command: `perl -e '${DAEMON}'; sleep N` },
  {
    name: 'many children',
    kind: 'deadline',
    command: 'f() { [ $1 -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & sleep N; }; }; f 4; sleep N',
  },
  {
    name: 'children without end',
    kind: 'deadline',
    command: 'while :; do (sleep 0.2 N 2>/dev/null &); sleep 0.02; done',
  },
  { name: 'exec', kind: 'deadline', command: 'exec sleep N' },
  { name: 'a coprocess', kind: 'deadline', command: 'coproc sleep N; wait' },
  { name: 'stops itself', kind: 'deadline', command: 'sleep N & kill -STOP $$' },
  { name: 'a child without its environment', kind: 'deadline', command: 'env -i setsid sleep N & sleep N' },
  { name: 'closes its output', kind: 'deadline', command: 'exec >&- 2>&-; sleep N' },
  { name: 'a child', kind: 'leaves', command: 'sleep N & echo ok' },
  { name: 'a child in another session, left', kind: 'leaves', command: 'setsid sleep N & echo ok' },
  { name: 'nohup, left', kind: 'leaves', command: 'nohup sleep N >/dev/null 2>&1 & echo ok' },
  {
    name: 'a child that prints after the end',
    kind: 'leaves',
    command: '(sleep 0.3; echo LATE; exec sleep N) & echo ok',
  },
  {
    name: 'a child that prints for ever',
    kind: 'leaves',
    command: '(while :; do echo tick; sleep 0.05; done; sleep N) & echo ok',
  },
  { name: 'a daemon', kind: 'leaves', command: `perl -e '${DAEMON}'; echo ok` },
  { name: 'a trap on its exit', kind: 'ends', command: "trap 'echo bye; sleep 0.3' EXIT; echo ok" },
  { name: 'kills itself', kind: 'ends', command: 'echo ok; kill -9 $$' },
  {
    name: 'much output at the end',
    kind: 'ends',
    command: "echo ok; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo N",
  },
  { name: 'reads its input', kind: 'ends', command: 'cat; read x; echo ok' },
];

/** Those that say something where the tests reach their files. */
export const HOSTILE_COMMANDS = ALL.filter(({ command }) => {
  // Behind an executor a process is known by its environment alone.
  if (isFar && command.includes('env -i')) return false;
  return !isBusybox || !/\b(?:bash|coproc|nohup|perl|python3)\b/.test(command);
});

/** How far a call may go over its deadline, in milliseconds. */
export const GRACE_MS = 3000;
/** Behind an executor each look and each end is a command that reads the environment of every process there. */
const FAR_MS = farOr(30_000, 0);
const DEADLINE_MS = 500;
/** A command that ends by itself is far from its deadline; longer than this, and something has held its answer. */
const HELD_MS = 10_000;

/** Runs one, and says what about it is not as it must be. */
export async function tryHostileCommand(
  room: ToolRoom,
  hostile: HostileCommand,
  number: number,
): Promise<readonly string[]> {
  const command = hostile.command.replaceAll('N', String(number));
  const startedAt = performance.now();
  const { text, receipt, ok } = await room.call(bashTool, {
    command,
    timeout: hostile.kind === 'deadline' ? DEADLINE_MS : 30_000,
  });
  const ms = performance.now() - startedAt;
  const wrong: string[] = [];
  const limit = FAR_MS + (hostile.kind === 'deadline' ? DEADLINE_MS + GRACE_MS : HELD_MS);
  if (ms > limit) wrong.push(`took ${Math.round(ms)} ms`);
  const left = processesOf(room.folder, number);
  switch (hostile.kind) {
    case 'deadline':
      if (receipt.code !== 'timeout') wrong.push(`is ${receipt.code ?? 'ok'}: ${text}`);
      if (left.length > 0) wrong.push(`left ${left.join(', ')}`);
      break;
    case 'leaves':
      if (!ok || !text.includes('ok')) wrong.push(`says ${text}`);
      if (left.length === 0) wrong.push('its child is gone');
      if (!text.includes('still running')) wrong.push('its child is not listed');
      await stopAll(room, text);
      break;
    case 'ends':
      if (!ok || !text.includes('ok')) wrong.push(`says ${text}`);
      if (left.length > 0) wrong.push(`left ${left.join(', ')}`);
  }
  const after = processesOf(room.folder, number);
  if (after.length > 0) wrong.push(`at the end there are ${after.join(', ')}`);
  return wrong.map((what) => `${hostile.name} ${what}`);
}

async function stopAll(room: ToolRoom, text: string): Promise<void> {
  for (const [, job] of text.matchAll(/job (\d+)/g)) await room.call(bashTool, { stop: Number(job) });
}

/** What runs of a room's calls, by their environment or by the number in their command line. */
function processesOf(folder: string, number: number): readonly string[] {
  const id = `EMEND_CALL=${createHash('sha256').update(folder).digest('hex').slice(0, 12)}-`;
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
    const isZombie = / Z /.test(read(`/proc/${pid}/stat`).replace(/^.*\)/s, ' '));
    const isOwn = read(`/proc/${pid}/environ`).includes(id) || command.split(' ').includes(String(number));
    return isOwn && !isZombie ? [`${pid} ${command}`] : [];
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It is gone.
    return '';
  }
}
