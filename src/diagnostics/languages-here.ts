import { languageIdOf } from '../workspace/document-snapshot.ts';
import type { Run } from '../workspace/run.ts';
import { findRipgrep } from '../workspace/search/ripgrep.ts';
import { runRipgrep } from '../workspace/search/ripgrep-run.ts';

const BUDGET_MS = 5000;

/**
 * How many files of each language lie in a folder (absolute), ignored and hidden ones left out. Not all, where there
 * are too many to list in a few seconds; none where ripgrep is not to be had.
 */
export async function languagesHere(run: Run, root: string): Promise<ReadonlyMap<string, number>> {
  const found = await findRipgrep(run, root);
  if (found.status === 'missing') return new Map();
  const counts = new Map<string, number>();
  const decoder = new TextDecoder();
  let rest = '';
  const args = ['--files', '-0', '-g', '!**/node_modules/**', '--', root];
  await runRipgrep(found.ripgrep, args, { cwd: root, budgetMs: BUDGET_MS, signal: undefined }, (chunk) => {
    const paths = (rest + decoder.decode(chunk, { stream: true })).split('\0');
    rest = paths.pop() ?? '';
    for (const path of paths) {
      const languageId = languageIdOf(path);
      counts.set(languageId, (counts.get(languageId) ?? 0) + 1);
    }
    return 'more';
  });
  return counts;
}
