import { LOOK_BUDGETS, type LookBudgets } from '../look-budgets.ts';
import type { FileFilter } from './file-filter.ts';
import { isWanted, readGrepEvent } from './grep-event.ts';
import { JsonLines } from './json-lines.ts';
import type { Ripgrep } from './ripgrep.ts';
import { runRipgrep, type Wish } from './ripgrep-run.ts';

/** Files that match and that a search does not look into. */
export interface PassedOver {
  readonly ignored: number;
  readonly binary: number;
  /** All were looked at; else these are only those seen so far. */
  readonly isComplete: boolean;
}

const MIN_BUDGET_MS = 30;
/** A long search is not made much longer by this: a tenth. */
const SHARE = 0.1;

/** Starts that take as long as the one that was timed, and some that take longer. */
const STARTS = 3;

/** What the length of a look depends on, beside the search before it. */
export interface LookTimes {
  readonly startMs?: number;
  readonly looks?: LookBudgets;
}

/** How long to look, after a search that took `spentMs`, where the start of a command takes `startMs`. */
export function passedOverBudget(spentMs: number, { startMs = 0, looks = LOOK_BUDGETS }: LookTimes): number {
  const most = looks.passedOverMs;
  const look = spentMs < most ? most : Math.min(most, Math.max(MIN_BUDGET_MS, spentMs * SHARE));
  return look + startMs * STARTS;
}

/** Looks once more, also into ignored and binary files, as far as a short budget goes. `known` were found already. */
export async function countPassedOver(
  request: {
    readonly args: readonly string[];
    readonly cwd: string;
    readonly spentMs: number;
    readonly known: number;
    readonly filter: FileFilter;
  },
  { ripgrep, ...times }: LookTimes & { readonly ripgrep: Ripgrep },
  signal?: AbortSignal,
): Promise<PassedOver> {
  let files = 0;
  let binary = 0;
  const lines = new JsonLines();
  const read = (chunk: Buffer): Wish => {
    for (const line of lines.take(chunk)) {
      const event = readGrepEvent(line);
      if (event?.kind !== 'end' || !isWanted(event, request.filter)) continue;
      files++;
      if (event.stoppedAt !== undefined) binary++;
    }
    return 'more';
  };
  const args = request.args.filter((arg) => !arg.startsWith('--sort') && !arg.startsWith('--max-count'));
  const options = { cwd: request.cwd, budgetMs: passedOverBudget(request.spentMs, times), signal };
  const wide = ['--no-ignore', '--binary', '--max-count=1', '--', './'];
  const end = await runRipgrep(ripgrep, [...args, ...wide], options, read);
  const isComplete = end.by === 'itself';
  const others = Math.max(0, files - request.known);
  return { ignored: Math.max(0, others - binary), binary: Math.min(binary, others), isComplete };
}
