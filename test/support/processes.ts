import { execFileSync } from 'node:child_process';

interface ProcessRow {
  readonly pid: number;
  readonly group: number;
  readonly command: string;
}

/** Every process that runs (one that only waits to be reaped does not), its group and its command line. */
export function processes(): readonly ProcessRow[] {
  const table = execFileSync('ps', ['-eo', 'pid=,pgid=,stat=,args='], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return table.split('\n').flatMap((line) => {
    const [, pid, group, stat, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return stat === undefined || stat.startsWith('Z')
      ? []
      : [{ pid: Number(pid), group: Number(group), command: command ?? '' }];
  });
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  return processes().some((row) => row.pid === pid);
}

/** Looks every 20 ms until `condition` holds; its last answer when `timeoutMs` have passed. */
export async function until(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
}
