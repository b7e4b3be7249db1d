import type { KeptState } from '../../workspace/kept-state.ts';
import type { PathLocks } from '../../workspace/path-locks.ts';
import { parseChangeRecord } from './change-record.ts';
import { type RecoveredRoot, recoverChanges } from './recover-changes.ts';

/**
 * Locks under which no half-done change of a process that died is met: where one is found that has to do with the paths,
 * it is ended first. What can't be ended now (a disk that refuses) does not keep others from working.
 */
export function recoveringLocks(root: RecoveredRoot & { readonly locks: PathLocks }): PathLocks {
  return {
    async withPathLocks(paths, signal, fn) {
      // Asked under the locks: whoever held them may have died with them.
      const first = await root.locks.withPathLocks(paths, signal, async () =>
        (await isHalfDone(root.kept, paths)) ? undefined : { result: await fn() },
      );
      if (first) return first.result;
      await recoverChanges(root);
      return root.locks.withPathLocks(paths, signal, fn);
    },
  };
}

async function isHalfDone({ changes }: KeptState, paths: readonly string[]): Promise<boolean> {
  const left = await changes.interrupted();
  return left.some(({ text }) => parseChangeRecord(text)?.files.some(({ path }) => paths.includes(path)));
}
