import { readdirSync, readFileSync } from 'node:fs';
import type { CallIdentity, CallProcess, EndOutcome, ProcessTable } from './process-table.ts';
import { CALL_VARIABLE, RELAY_VARIABLE } from './shell-command.ts';

/** How long a process may take to end by itself after it was asked to. */
const GRACE_MS = 700;
const STEP_MS = 25;

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/**
 * The processes of this machine. One belongs to a call that has its id in its environment, is in its group or its
 * session, or descends from one that is. Without `/proc` only the group is reached.
 */
export const localProcessTable: ProcessTable = {
  ofCall: async (call) => processesOf(call).filter(({ isRelay }) => !isRelay),

  async end(call, patienceMs): Promise<EndOutcome> {
    signalAll(call, 'SIGTERM');
    const deadline = performance.now() + patienceMs;
    const politeUntil = performance.now() + Math.min(GRACE_MS, patienceMs);
    while (performance.now() < politeUntil && processesOf(call).length > 0) await pause();
    while (processesOf(call).length > 0 && performance.now() < deadline) {
      // Held still first, so that none can start another while it is looked for.
      signalAll(call, 'SIGSTOP');
      signalAll(call, 'SIGKILL');
      await pause();
    }
    return { left: processesOf(call) };
  },
};

function signalAll(call: CallIdentity, signal: NodeJS.Signals): void {
  if (call.leader !== undefined) send(-call.leader, signal);
  for (const { pid } of processesOf(call)) send(pid, signal);
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone already, or not ours to signal: the next look tells.
  }
}

function processesOf(call: CallIdentity): readonly (CallProcess & { readonly isRelay: boolean })[] {
  const rows = table();
  const environments = new Map<number, string>();
  const own = new Set<number>();
  for (const { pid, group, session } of rows) {
    const environment = readFile(`/proc/${pid}/environ`);
    environments.set(pid, environment);
    const isMember = call.leader !== undefined && (group === call.leader || session === call.leader);
    if (isMember || `\0${environment}`.includes(`\0${CALL_VARIABLE}=${call.id}\0`)) own.add(pid);
  }
  for (let grown = true; grown; ) {
    grown = false;
    for (const { pid, parent } of rows) {
      if (!own.has(parent) || own.has(pid)) continue;
      own.add(pid);
      grown = true;
    }
  }
  return [...own]
    .sort((a, b) => a - b)
    .map((pid) => ({
      pid,
      command: readFile(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
      isRelay: `\0${environments.get(pid)}`.includes(`\0${RELAY_VARIABLE}=1\0`),
    }));
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
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === undefined || state === '' || state === 'Z' || state === 'X') return [];
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) }];
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
