import { isWanted, readGrepEvent } from './grep-event.ts';
import { JsonLines } from './json-lines.ts';
import { type LookTimes, passedOverBudget } from './passed-over.ts';
import type { Ripgrep } from './ripgrep.ts';
import { runRipgrep, type Wish } from './ripgrep-run.ts';
import type { GrepRequest } from './search-request.ts';

/** What looks again with a search that found little. */
export interface SecondLook {
  readonly request: GrepRequest;
  /** ripgrep's arguments of the search. */
  readonly args: readonly string[];
  /** Paths that are not looked for: found already, or not as the disk has them. */
  readonly known: ReadonlySet<string>;
}

const MAX_FILES = 50;

/** Files that the same search finds with a few more arguments, at most 50, as far as a short budget goes. */
export async function lookAgain(
  { request, args, known }: SecondLook,
  more: readonly string[],
  ports: LookTimes & { readonly ripgrep: Ripgrep },
  signal: AbortSignal | undefined,
): Promise<{ readonly paths: readonly string[]; readonly isComplete: boolean }> {
  const paths: string[] = [];
  const lines = new JsonLines();
  const read = (chunk: Buffer): Wish => {
    for (const line of lines.take(chunk)) {
      const event = readGrepEvent(line);
      if (event?.kind !== 'end' || known.has(event.path) || !isWanted(event, request.filter)) continue;
      paths.push(event.path);
    }
    return paths.length < MAX_FILES ? 'more' : 'enough';
  };
  const plain = args.filter((arg) => !/^--(?:sort|max-count|before-context|after-context)\b/.test(arg));
  const options = { cwd: request.place.folder, budgetMs: passedOverBudget(0, ports), signal };
  const end = await runRipgrep(
    ports.ripgrep,
    [...plain, '--max-count=1', ...more, '--', request.place.target],
    options,
    read,
  );
  return { paths: paths.slice(0, MAX_FILES), isComplete: end.by === 'itself' };
}
