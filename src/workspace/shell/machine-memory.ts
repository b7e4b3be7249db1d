/** Memory of the machine, or of the container that bounds it, in bytes. */
export interface MachineMemory {
  readonly free: number;
  readonly all: number;
}

/** Where Linux tells it: the machine's, then what bounds a container, in both versions of cgroups. */
export const MEMORY_FILES = [
  '/proc/meminfo',
  '/sys/fs/cgroup/memory.max',
  '/sys/fs/cgroup/memory.current',
  '/sys/fs/cgroup/memory.stat',
  '/sys/fs/cgroup/memory/memory.limit_in_bytes',
  '/sys/fs/cgroup/memory/memory.usage_in_bytes',
  '/sys/fs/cgroup/memory/memory.stat',
] as const;

/** Less of it free is worth a word: what runs on may soon be ended by the system. */
const LITTLE = 0.15;

/** What these files say, in the order of `MEMORY_FILES`, `` for those that are not there; `undefined`: nothing. */
export function machineMemory(texts: readonly string[]): MachineMemory | undefined {
  const [meminfo = '', ...cgroups] = texts;
  const row = (name: string): number => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1]);
  const machine = { free: row('MemAvailable'), all: row('MemTotal') };
  const bounds = [cgroups.slice(0, 3), cgroups.slice(3)].map(([most = '', used = '', stat = '']) => {
    // What files fill is given back when it is needed.
    const cache = Number(/^(?:total_)?inactive_file (\d+)$/m.exec(stat)?.[1] ?? 0);
    const all = most.trim() === '' ? Number.NaN : Number(most);
    return { free: Math.max(0, all - Number(used) + cache), all };
  });
  const known = [machine, ...bounds].filter(({ free, all }) => all > 0 && free >= 0);
  return known.sort((a, b) => a.free - b.free).find(({ all }) => Number.isFinite(all));
}

/** Whether so little is free that it should be told. */
export function isLow({ free, all }: MachineMemory): boolean {
  return free < LITTLE * all;
}
