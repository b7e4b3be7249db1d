import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readlink, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownProcess, processState } from './local-process-identity.ts';
import { userStateFolder } from './local-state-folder.ts';
import { createPathLocks, type PathLocks, type ProcessLock } from './path-locks.ts';

const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 20;
/** A holder in another container can't be asked whether it lives. No edit holds a lock for so long. */
const FOREIGN_HOLD_MS = 60_000;

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
      for (let waitMs = FIRST_WAIT_MS; !(await take(lock, mine)); waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
        signal?.throwIfAborted();
        if (await removeDead(lock)) continue;
        await sleep(waitMs * (0.5 + Math.random()), undefined, signal ? { signal } : {});
      }
      const since = performance.now();
      // Only a hold so long that another could have ended it has to be looked at again.
      return () => (performance.now() - since < FOREIGN_HOLD_MS / 2 ? unlink(lock) : release(lock, mine));
    },
  };
}

async function take(lock: string, holder: string): Promise<boolean> {
  try {
    await symlink(holder, lock);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    if (code !== 'ENOENT') throw error;
    await mkdir(join(lock, '..'), { recursive: true, mode: 0o700 });
    return take(lock, holder);
  }
}

async function release(lock: string, mine: string): Promise<void> {
  // After a very long hold someone else may have taken it over.
  if ((await holderOf(lock)) === mine) await unlink(lock);
}

/**
 * Takes away the lock of a holder that died; `true` where it is gone now. Only who holds the right to do so may, which
 * is itself a lock, named after that one hold: so no one can take away a lock that was taken anew meanwhile.
 */
async function removeDead(lock: string): Promise<boolean> {
  const holder = await holderOf(lock);
  if (holder === undefined) return true;
  if (!(await isDead(lock, holder))) return false;
  const right = `${lock}-${holder.slice(holder.lastIndexOf('.') + 1)}`;
  const mine = `${ownProcess}.${randomBytes(8).toString('hex')}`;
  if (!(await take(right, mine))) return (await removeDead(right)) && (await removeDead(lock));
  try {
    if ((await holderOf(lock)) === holder) await unlink(lock);
  } finally {
    await release(right, mine);
  }
  return true;
}

async function isDead(lock: string, holder: string): Promise<boolean> {
  const state = processState(holder);
  if (state !== 'unknown') return state === 'dead';
  const since = await lstat(lock).catch(() => undefined);
  return since !== undefined && Date.now() - since.mtimeMs > FOREIGN_HOLD_MS;
}

async function holderOf(lock: string): Promise<string | undefined> {
  try {
    return await readlink(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
