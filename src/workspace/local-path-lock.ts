import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownProcess, processState } from './local-process-identity.ts';
import { userStateFolder } from './local-state-folder.ts';
import { createPathLocks, type PathLocks, type ProcessLock } from './path-locks.ts';

const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 20;
/** A holder in another container can't be asked whether it lives. No edit holds a lock for so long. */
const FOREIGN_HOLD_MS = 60_000;
/** The state folder can't take a lock. */
const UNLOCKABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR']);

/** Locks among all callers in this process and all processes of this user. */
export function createLocalPathLocks(folder?: string): PathLocks {
  return createPathLocks(createPathLockFiles(folder));
}

/**
 * Locks among all processes of this user, one file for each path that is held, in the user's state folder. A lock is a
 * symbolic link whose target names its holder: it appears with its content or not at all. The lock of a holder that
 * died is taken away by whoever waits for it.
 */
export function createPathLockFiles(folder: string = userStateFolder('locks')): ProcessLock {
  return {
    async acquire(path, signal) {
      const lock = join(folder, createHash('sha256').update(path).digest('hex').slice(0, 32));
      const mine = `${ownProcess}.${randomBytes(8).toString('hex')}`;
      try {
        for (let waitMs = FIRST_WAIT_MS; !take(lock, mine); waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
          if (!removeDead(lock)) await pause(waitMs * (0.5 + Math.random()), signal);
        }
      } catch (error) {
        if (!UNLOCKABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
        // A full or read-only disk at home is no reason not to write elsewhere: the look before each rename remains.
        return async () => undefined;
      }
      const since = performance.now();
      // Only a hold so long that another could have ended it has to be looked at again.
      return async () => {
        if (performance.now() - since < FOREIGN_HOLD_MS / 2) remove(lock);
        else release(lock, mine);
      };
    },
  };
}

/** @throws the signal's reason */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // Cut short by the signal, which is looked at next.
  await sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
  signal?.throwIfAborted();
}

function take(lock: string, holder: string): boolean {
  try {
    symlinkSync(holder, lock);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT') throw error;
    mkdirSync(join(lock, '..'), { recursive: true, mode: 0o700 });
    return take(lock, holder);
  }
}

function release(lock: string, mine: string): void {
  // After a very long hold someone else may have taken it over.
  if (holderOf(lock) === mine) remove(lock);
}

/** What is gone already need not be removed. */
function remove(lock: string): void {
  rmSync(lock, { force: true });
}

/**
 * Takes away the lock of a holder that died; `true` where it is gone now. Only who holds the right to do so may, which
 * is itself a lock, named after that one hold: so no one can take away a lock that was taken anew meanwhile.
 */
function removeDead(lock: string): boolean {
  const holder = holderOf(lock);
  if (holder === undefined) return true;
  if (!isDead(lock, holder)) return false;
  const right = `${lock}-${holder.slice(holder.lastIndexOf('.') + 1)}`;
  const mine = `${ownProcess}.${randomBytes(8).toString('hex')}`;
  if (!take(right, mine)) return removeDead(right) && removeDead(lock);
  try {
    if (holderOf(lock) === holder) remove(lock);
  } finally {
    release(right, mine);
  }
  return true;
}

function isDead(lock: string, holder: string): boolean {
  const state = processState(holder);
  if (state !== 'unknown') return state === 'dead';
  const since = lstatSync(lock, { throwIfNoEntry: false });
  return since !== undefined && Date.now() - since.mtimeMs > FOREIGN_HOLD_MS;
}

function holderOf(lock: string): string | undefined {
  try {
    return readlinkSync(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
