import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { localMachineMemory } from './local-machine-memory.ts';
import type { CallIdentity, CallProcess, EndOutcome, ProcessTable } from './process-table.ts';
import { CALL_VARIABLE, RELAY_VARIABLE } from './shell-command.ts';

/** How long a process may take to end by itself after it was asked to. */
const GRACE_MS = 1000;
const STEP_MS = 25;

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startedAt: string;
}

/**
 * The processes of this machine. One belongs to a call that has its id in its environment, is in its group or its
 * session, or descends from one that is. Without `/proc` only the group is reached.
 */
export const localProcessTable: ProcessTable = {
  ofCall: async (call) => new CallProcesses(call).look().filter(({ isRelay }) => !isRelay),

  async end(call, patienceMs): Promise<EndOutcome> {
    const processes = new CallProcesses(call);
    const deadline = performance.now() + patienceMs;
    const politeUntil = performance.now() + Math.min(GRACE_MS, patienceMs);
    processes.signal('SIGTERM');
    while (processes.look().length > 0 && performance.now() < politeUntil) await pause();
    while (processes.look().length > 0 && performance.now() < deadline) {
      // Held still first, so that none can start another while it is looked for.
      processes.signal('SIGSTOP');
      processes.signal('SIGKILL');
      await pause();
    }
    return { left: processes.look() };
  },

  async mark(call, bytes) {
    const found = new CallProcesses(call).look();
    if (found.length === 0) return table().length === 0 ? 'impossible' : 'later';
    return found.some(({ pid, isRelay }) => isRelay && writeToInput(pid, bytes)) ? 'put' : 'later';
  },

  memory: localMachineMemory,
};

/** Into the pipe that a process reads. Whoever may signal a process may open what it has open. */
function writeToInput(pid: number, bytes: Uint8Array): boolean {
  const input = `/proc/${pid}/fd/0`;
  try {
    if (!readlinkSync(input).startsWith('pipe:')) return false;
    const file = openSync(input, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      return writeSync(file, bytes) === bytes.length;
    } finally {
      closeSync(file);
    }
  } catch {
    // It has just ended, or the pipe is full: another look tells.
    return false;
  }
}

interface Found extends CallProcess {
  readonly isRelay: boolean;
}

/** The processes of a call, also those that could no longer be told for its own once their parents are gone. */
class CallProcesses {
  readonly #call: CallIdentity;
  /** When each was started: a number may be given again. */
  readonly #known = new Map<number, string>();
  /** Those that are not of the call: what is in their environment stays as it is. */
  readonly #foreign = new Map<number, string>();

  constructor(call: CallIdentity) {
    this.#call = call;
  }

  signal(signal: NodeJS.Signals): void {
    const found = this.look();
    if (this.#call.leader !== undefined) send(-this.#call.leader, signal);
    for (const { pid } of found) send(pid, signal);
  }

  look(): readonly Found[] {
    const { id, leader } = this.#call;
    const rows = table();
    const own = new Set<number>();
    const environments = new Map<number, string>();
    for (const { pid, group, session, startedAt } of rows) {
      if (this.#foreign.get(pid) === startedAt) continue;
      const environment = `\0${readFile(`/proc/${pid}/environ`)}`;
      environments.set(pid, environment);
      const isMember = leader !== undefined && (group === leader || session === leader);
      const isKnown = this.#known.get(pid) === startedAt;
      if (isMember || isKnown || environment.includes(`\0${CALL_VARIABLE}=${id}\0`)) own.add(pid);
    }
    for (let before = -1; own.size > before; ) {
      before = own.size;
      for (const { pid, parent } of rows) if (own.has(parent)) own.add(pid);
    }
    for (const { pid, startedAt } of rows) (own.has(pid) ? this.#known : this.#foreign).set(pid, startedAt);
    return [...own]
      .sort((a, b) => a - b)
      .map((pid) => ({
        pid,
        command: commandLine(pid),
        memory: memoryOf(pid),
        isRelay: environments.get(pid)?.includes(`\0${RELAY_VARIABLE}=1\0`) ?? false,
      }));
  }
}

/** Its name in brackets where its arguments can't be seen, as `ps` has it. */
function commandLine(pid: number): string {
  const line = readFile(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return line === '' ? `[${readFile(`/proc/${pid}/comm`).trim()}]` : line;
}

/** In bytes, as the kernel counts what is in memory. */
function memoryOf(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFile(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone already, or not ours to signal: the next look tells.
  }
}

/** Every process that runs; one that only waits to be reaped does not. */
function table(): readonly Row[] {
  let names: readonly string[];
  try {
    names = readdirSync('/proc');
  } catch {
    // A system without /proc: the group is all that can be reached.
    return [];
  }
  return names.flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const stat = readFile(`/proc/${name}/stat`);
    // The name stands in parentheses and may hold anything, also a parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent, group, session] = fields;
    if (state === '' || state === 'Z' || state === 'X') return [];
    return [
      {
        pid: Number(name),
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
        startedAt: fields[19] ?? '',
      },
    ];
  });
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It ended meanwhile, or belongs to another user.
    return '';
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, STEP_MS));
}
