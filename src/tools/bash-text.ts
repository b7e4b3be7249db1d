import type { ChangedFiles } from '../workspace/shell/changed-files.ts';
import { isLow, type MachineMemory } from '../workspace/shell/machine-memory.ts';
import type { CallProcess } from '../workspace/shell/process-table.ts';
import type { JobEnd } from '../workspace/shell/shell-job.ts';
import type { NumberedJob } from '../workspace/shell/shell-jobs.ts';
import { shortened, size } from '../workspace/truncation.ts';
import { visibleName } from '../workspace/visible-text.ts';
import { COMMAND_MS } from './command-deadline.ts';

/** `0.2 s`, `14.2 s`, `120 s`. */
export function seconds(ms: number): string {
  return `${ms < 100_000 ? (ms / 1000).toFixed(1).replace(/\.0$/, '') : Math.round(ms / 1000)} s`;
}

/** How a command ended by itself: `exit 1 (14.2 s)`, `killed by SIGKILL (0.1 s)`. */
export function exitLine(end: JobEnd, hasOutput: boolean): string {
  const late = end.isOutputIn ? '' : ', its output is late and may not be all';
  const time = `(${seconds(end.ms)}${hasOutput || !end.isOutputIn ? '' : ', no output'}${late})`;
  switch (end.exit.kind) {
    case 'code':
      return `exit ${end.exit.code} ${time}`;
    case 'signal':
      return `killed by ${end.exit.signal} ${time}`;
    case 'not_started':
      return `not started: ${end.exit.reason}`;
  }
}

/** How a command was ended: `killed after 120 s with all its processes`. */
export function endedLine(end: JobEnd): string {
  const left = processNames(end.left);
  const all = left === '' ? 'with all its processes' : `but these of its processes could not be ended: ${left}`;
  switch (end.by) {
    case 'deadline':
      return `killed after ${seconds(end.ms)} ${all}`;
    case 'cancel':
      return `stopped by the caller after ${seconds(end.ms)} ${all}`;
    case 'stop':
      return `stopped after ${seconds(end.ms)} ${all}`;
    case 'itself':
      return `ended after ${seconds(end.ms)}`;
  }
}

const MAX_NAMED = 10;

/** `changed: src/gen.ts, a.txt (gone) and 3 more`; nothing where nothing changed. */
export function changedLine(changed: ChangedFiles): string | undefined {
  if (changed.status === 'unknown') return 'changed: not known';
  const { paths, gone, isAll } = changed;
  const names = paths.map(visibleName);
  if (gone !== 'unknown') names.push(...gone.map((path) => `${visibleName(path)} (gone)`));
  if (names.length === 0) return undefined;
  const left = names.length - MAX_NAMED;
  const more = left <= 0 ? '' : ` and ${left}${isAll ? '' : ' or'} more`;
  return `changed: ${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Less is not told: each word is paid for in every later turn. */
const MUCH_MEMORY = 32 * 1024 * 1024;

const MAX_NAME = 60;

/** `4312 (node server.js)`, `4312 (node server.js, 93.1 MB)`: on one line, whatever a process calls itself. */
export function processName({ pid, command, memory = 0 }: CallProcess): string {
  const shown = visibleName(command);
  const name = shortened(shown, MAX_NAME);
  return `${pid} (${name}${memory < MUCH_MEMORY ? '' : `, ${size(memory)}`})`;
}

/** The first ten of them, and how many more there are; `` where there are none. */
export function processNames(processes: readonly CallProcess[]): string {
  const named = processes.slice(0, MAX_NAMED).map(processName).join(', ');
  return processes.length > MAX_NAMED ? `${named} and ${processes.length - MAX_NAMED} more` : named;
}

/** `memory: 93.1 MB of 1.0 GB free`; nothing where there is enough. */
export function memoryLine(memory: MachineMemory | undefined): string | undefined {
  return memory && isLow(memory) ? `memory: ${size(memory.free)} of ${size(memory.all)} free` : undefined;
}

/** What goes on beside the present call: `still running: 4312 (node server.js), job 2, 40 s`. */
export function newsLines(
  news: readonly { readonly entry: NumberedJob; readonly processes: readonly CallProcess[] }[],
): readonly string[] {
  return news.flatMap(({ entry, processes }) => {
    const { number, job, end } = entry;
    if (!end || (end.by === 'itself' && processes.length > 0)) {
      return [`still running: ${processNames(processes)}, job ${number}, ${seconds(job.ageMs)}`];
    }
    const rest = job.hasFresh ? `job: ${number} reads what it printed` : undefined;
    if (entry.isTold) return rest === undefined ? [] : [`what job ${number} left running is over; ${rest}`];
    const ended = `job ${number} ended: ${end.by === 'itself' ? exitLine(end, true) : endedLine(end)}`;
    return [rest === undefined ? ended : `${ended}; ${rest}`];
  });
}

/** Why a command may not have ended in its time, as far as its output tells; `ms`: how long it ran. */
export function deadlineHint(output: string, ms: number): string {
  if (ms >= COMMAND_MS.most) {
    return ` ${seconds(COMMAND_MS.most)} is the most that a command may take: use run_in_background, which has no end.`;
  }
  if (/press ctrl.?\+?.?c|ctrl\+c to (?:quit|stop|exit)/i.test(output)) {
    return ' It says that it runs until it is interrupted: use run_in_background.';
  }
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  return /[?:>\]] ?$/.test(last) && !output.endsWith('\n') ? ' It seems to wait for an answer, and gets none.' : '';
}
