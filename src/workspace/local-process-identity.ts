import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** One boot of one machine or container; process numbers mean nothing outside it. */
const world = createHash('sha256')
  .update([hostname(), textOf('/proc/sys/kernel/random/boot_id'), linkOf('/proc/self/ns/pid')].join('\n'))
  .digest('hex')
  .slice(0, 12);

/**
 * Names one process for good: where it runs (machine, boot, process namespace), its number, and when it started, since
 * numbers are used again. Safe in a file name.
 */
export const ownProcess: string = `${world}.${process.pid}.${startOf(process.pid) ?? '0'}`;

/**
 * Whether the process behind an identity still runs. `unknown`: it is in another world (a container that shares the
 * folder), or the text is no identity.
 */
export function processState(identity: string): 'alive' | 'dead' | 'unknown' {
  const [itsWorld, pidText, start] = identity.split('.');
  const pid = Number(pidText);
  if (itsWorld !== world || !Number.isSafeInteger(pid) || pid <= 0) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Anything but "no such process" means that there is one.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
  }
  const now = startOf(pid);
  return now === undefined || start === '0' || now === start ? 'alive' : 'dead';
}

/** In clock ticks since boot; a process that is only waiting to be reaped has none. */
function startOf(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name, in parentheses, may hold blanks and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? 'ended' : fields[19];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // There is no /proc here: the number alone has to do.
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // As above.
    return '';
  }
}
