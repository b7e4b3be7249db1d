import type { Run } from '../workspace/run.ts';
import { findRipgrep } from '../workspace/search/ripgrep.ts';
import { runRipgrep } from '../workspace/search/ripgrep-run.ts';

const BUDGET_MS = 2000;
/** So few are all looked at soon, whatever their order. */
const FEW = 10;
const MAX_BYTES = 1 << 20;

/**
 * The files below a folder (absolute paths) that have one of these words, ignored ones left out; those that also have
 * one of `likelier` come first. Not all, where the search takes too long: an edit must not wait for it.
 */
export async function findMentions(search: {
  readonly run: Run;
  readonly root: string;
  readonly words: readonly string[];
  readonly likelier: readonly string[];
}): Promise<readonly string[]> {
  const files = await filesWith(search, search.words);
  if (files.length < FEW) return files;
  const first = new Set(await filesWith(search, search.likelier));
  return [...files.filter((path) => first.has(path)), ...files.filter((path) => !first.has(path))];
}

async function filesWith(
  { run, root }: { readonly run: Run; readonly root: string },
  words: readonly string[],
): Promise<readonly string[]> {
  if (words.length === 0) return [];
  const found = await findRipgrep(run, root);
  if (found.status === 'missing') return [];
  const patterns = words.flatMap((word) => ['-e', word]);
  const args = ['-l', '-0', '-w', '-F', '--max-filesize', '3M', '-g', '!**/node_modules/**', ...patterns, '--', root];
  let output = '';
  await runRipgrep(found.ripgrep, args, { cwd: root, budgetMs: BUDGET_MS, signal: undefined }, (chunk) => {
    output += chunk.toString('utf8');
    return output.length < MAX_BYTES ? 'more' : 'enough';
  });
  return output.split('\0').slice(0, -1).sort();
}
