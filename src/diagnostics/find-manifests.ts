import type { Run } from '../workspace/run.ts';
import { findRipgrep } from '../workspace/search/ripgrep.ts';
import { runRipgrep } from '../workspace/search/ripgrep-run.ts';

const BUDGET_MS = 1000;
const MAX_BYTES = 1 << 20;

/** The folders below one (absolute paths) that hold a `package.json`, as far as they are found soon. */
export async function findManifests({ run, root }: { readonly run: Run; readonly root: string }): Promise<string[]> {
  const found = await findRipgrep(run, root);
  if (found.status === 'missing') return [];
  const args = ['--files', '-0', '-g', '**/package.json', '-g', '!**/node_modules/**', '--', root];
  let output = '';
  await runRipgrep(found.ripgrep, args, { cwd: root, budgetMs: BUDGET_MS, signal: undefined }, (chunk) => {
    output += chunk.toString('utf8');
    return output.length < MAX_BYTES ? 'more' : 'enough';
  });
  return output
    .split('\0')
    .slice(0, -1)
    .map((path) => path.slice(0, path.lastIndexOf('/')));
}
