import { decodeEscaped } from '../visible-text.ts';
import type { PathMatch } from './glob-match.ts';
import type { Ripgrep } from './ripgrep.ts';
import { runRipgrep } from './ripgrep-run.ts';

/** The paths of a listing that ends with a NUL, without their `./`. A name that is no UTF-8 is shown as Grep shows it. */
function pathsOf(listing: Buffer): readonly string[] {
  if (listing.length === 0) return [];
  const whole = listing.toString('utf8');
  const text = whole.includes('\ufffd') ? decodeEscaped(listing) : whole;
  // Of a hundred thousand paths none is made twice.
  return text.slice(2, -1).split('\0./');
}

/** Above this the paths are counted and no longer kept. */
const MAX_KEPT = 300_000;

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
  const paths: string[] = [];
  let count = 0;
  let rest = Buffer.alloc(0);
  const options = { cwd: search.cwd, budgetMs: search.budgetMs, signal };
  const end = await runRipgrep(search.ripgrep, [...search.args, '--', './'], options, (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const taken = bytes.lastIndexOf(0) + 1;
    const all = pathsOf(bytes.subarray(0, taken));
    const listed = search.accepts ? all.filter(search.accepts) : all;
    const room = MAX_KEPT - paths.length;
    for (const path of listed.length > room ? listed.slice(0, room) : listed) paths.push(path);
    count += listed.length;
    rest = Buffer.from(bytes.subarray(taken));
    return count >= (search.most ?? Number.POSITIVE_INFINITY) ? 'enough' : 'more';
  });
  return { paths, count, by: end.by, exit: end.exit, complaints: end.complaints };
}
