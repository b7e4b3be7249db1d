import { readdir, readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { MemoryPort } from './memory-ceiling.ts';

const MOST = 3_000_000_000;

/**
 * This machine's memory as far as language servers go: they may have a quarter of it, or of the cgroup's where that is
 * less, 3 GB at most. What processes have is read from `/proc`; where there is none, nothing is known and none is stopped.
 */
export async function localMemory(): Promise<MemoryPort> {
  const limit = Math.min(totalmem(), await cgroupLimit());
  return { ceiling: Math.min(MOST, limit / 4), ofGroups };
}

async function cgroupLimit(): Promise<number> {
  for (const file of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    const limit = Number((await readFile(file, 'utf8').catch(() => '')).trim());
    if (limit > 0) return limit;
  }
  return Number.POSITIVE_INFINITY;
}

/** Proportional where the kernel says so, so that shared pages count once. */
async function ofGroups(groups: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const sizes = new Map<number, number>();
  if (groups.length === 0) return sizes;
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    processes.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
      const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
      if (!groups.includes(group)) return;
      sizes.set(group, (sizes.get(group) ?? 0) + (await residentBytes(pid)));
    }),
  );
  return sizes;
}

async function residentBytes(pid: string): Promise<number> {
  for (const [file, row] of [
    ['smaps_rollup', /^Pss:\s+(\d+) kB/m],
    ['status', /^VmRSS:\s+(\d+) kB/m],
  ] as const) {
    const kilobytes = row.exec(await readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => ''))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  }
  return 0;
}
