import { dirname } from 'node:path';
import type { Run } from '../workspace/run.ts';
import { listFiles } from '../workspace/search/list-files.ts';
import { findRipgrep } from '../workspace/search/ripgrep.ts';

const BUDGET_MS = 1000;

/**
 * The folders at and below one (absolute paths) that hold a file of one of these names, as far as they are found soon;
 * ignored ones and those of packages left out.
 */
export async function foldersWith(
  names: readonly string[],
  { run, root }: { readonly run: Run; readonly root: string },
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const found = await findRipgrep(run, root);
  if (found.status === 'missing') return [];
  const args = ['--files', '-0', ...names.flatMap((name) => ['-g', name]), '-g', '!**/node_modules/**'];
  const search = { ripgrep: found.ripgrep, args, cwd: root, budgetMs: BUDGET_MS, accepts: undefined };
  const { paths } = await listFiles(search, signal);
  return [...new Set(paths.slice().map((path) => dirname(`${root}/${path}`)))];
}
