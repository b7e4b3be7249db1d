import { readFileSync } from 'node:fs';
import { StoreError } from './document-store.ts';

/** Whether something is mounted at this real path itself, as containers bind single files; Linux tells, others don't. */
export function isMountPoint(path: string): boolean {
  try {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return mounts.some((mount) => mount.split(' ')[4]?.replace(/\\([0-7]{3})/g, characterOf) === path);
  } catch {
    // No /proc is mounted here: a mount is met when the name can't be taken.
    return false;
  }
}

/** A name that the system holds on to. */
export function mountPoint(path: string): StoreError {
  return new StoreError(
    'denied',
    `${path} is a mount point, as containers bind single files: it can be edited, but not moved or removed. Unmount it first`,
  );
}

function characterOf(_all: string, octal: string): string {
  return String.fromCharCode(Number.parseInt(octal, 8));
}
