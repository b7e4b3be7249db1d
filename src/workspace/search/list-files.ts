import type { PathMatch } from './glob-match.ts';
import { createPathListing } from './listed-paths.ts';
import type { Ripgrep } from './ripgrep.ts';
import { runRipgrep } from './ripgrep-run.ts';

/** Lists files with ripgrep, of which those that `accepts` takes. */
export async function listFiles(
  search: {
    readonly ripgrep: Ripgrep;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly budgetMs: number;
    readonly accepts: PathMatch | undefined;
    /** Where so many are known, it is ended. */
    readonly most?: number;
  },
  signal: AbortSignal | undefined,
) {
  const listing = createPathListing(search.accepts);
  const options = { cwd: search.cwd, budgetMs: search.budgetMs, signal };
  const end = await runRipgrep(search.ripgrep, [...search.args, '--', './'], options, (chunk) => {
    listing.add(chunk);
    return listing.count() >= (search.most ?? Number.POSITIVE_INFINITY) ? 'enough' : 'more';
  });
  const count = listing.count();
  return { paths: listing.paths, count, by: end.by, exit: end.exit, complaints: end.complaints };
}
