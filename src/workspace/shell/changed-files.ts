import { join } from 'node:path';
import type { SearchPorts } from '../search/grep.ts';
import { runRipgrep } from '../search/ripgrep-run.ts';
import { WALK_ARGS } from '../search/search-request.ts';

/** Files that changed since a moment, as far as a look of bounded length can tell. */
export type ChangedFiles =
  /** From the folder that was looked at, newest first; `isAll`: there are no more. */
  | { readonly status: 'known'; readonly paths: readonly string[]; readonly isAll: boolean }
  | { readonly status: 'unknown' };

/** There may be more where so many are known. */
export const MAX_CHANGED_FILES = 50;
/** Times of files come from a clock that may lag behind by a tick. */
const TICK_MS = 10;

/** Looks for files whose time is not before `since` (milliseconds since 1970); ignored ones are passed over. */
export async function changedFiles(
  folder: string,
  since: number,
  ports: SearchPorts & { readonly budgetMs: number },
): Promise<ChangedFiles> {
  const { clock, ripgrep, store, budgetMs } = ports;
  const startedAt = clock.now();
  const paths: string[] = [];
  let rest = '';
  const args = [...WALK_ARGS, '--files', '--null', '--sortr=modified', '--', './'];
  const options = { cwd: folder, budgetMs, signal: undefined };
  const end = await runRipgrep(ripgrep, args, options, (chunk) => {
    const parts = `${rest}${chunk.toString('utf8')}`.split('\0');
    rest = parts.pop() ?? '';
    paths.push(...parts.map((path) => path.slice(2)));
    return paths.length > MAX_CHANGED_FILES ? 'enough' : 'more';
  });
  if (end.by === 'budget') return { status: 'unknown' };
  const changed: string[] = [];
  for (const path of paths.slice(0, MAX_CHANGED_FILES + 1)) {
    if (clock.now() - startedAt > budgetMs) return { status: 'unknown' };
    const stat = await store.stat(join(folder, path));
    if (stat && stat.mtimeMs < since - TICK_MS) break;
    changed.push(path);
  }
  return { status: 'known', paths: changed.slice(0, MAX_CHANGED_FILES), isAll: changed.length <= MAX_CHANGED_FILES };
}
