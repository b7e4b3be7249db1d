import { type ChangedCalls, createChangedCalls } from './changed-calls.ts';
import { type Cell, type CellComparison, compareCells } from './compare-cells.ts';
import type { FoundJournal } from './find-journals.ts';
import { createRunSummary, type RunSummary } from './run-summary.ts';
import { sumJournal } from './sum-set.ts';
import { createTokenMeter, type TokenMode } from './token-meter.ts';

/** A set of runs, as the user names it. */
export interface JournalSet {
  readonly label: string;
  readonly journals: readonly FoundJournal[];
}

interface ReportRequest {
  readonly set: JournalSet;
  readonly against?: JournalSet;
  readonly tokens: TokenMode;
  /** Told of journals that are done, and of all. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** What `--json` prints and the page shows. */
export interface Report {
  readonly label: string;
  readonly run: RunSummary;
  readonly against?: { readonly label: string; readonly run: RunSummary };
  readonly comparison?: CellComparison & { readonly calls: ChangedCalls | undefined };
  /** Tokens are counted (o200k) of each `every`th call; 0: of none. */
  readonly tokensEvery: number;
}

/** Sums a set of runs, or two to compare: `against` is the first, `set` the second. */
export async function buildReport({ set, against, tokens, onProgress }: ReportRequest): Promise<Report> {
  const all = [...set.journals, ...(against?.journals ?? [])];
  const meter = await createTokenMeter(
    tokens,
    all.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  let done = 0;
  const summary = createRunSummary();
  const summed = async (
    journal: FoundJournal,
    index: number,
    into: Omit<Parameters<typeof sumJournal>[2], 'tokens'>,
  ): Promise<Cell> => {
    const cell = await sumJournal(journal, index, { ...into, tokens: meter });
    done += 1;
    onProgress?.(done, all.length);
    return cell;
  };
  if (!against) {
    for (const [index, journal] of set.journals.entries()) await summed(journal, index, { summary });
    return { label: set.label, run: summary.result(), tokensEvery: meter.every };
  }
  const other = createRunSummary();
  const pairs = pairsOf(against.journals, set.journals);
  const calls = createChangedCalls();
  const [cells, others]: [Cell[], Cell[]] = [[], []];
  for (const [index, { first, second }] of pairs.entries()) {
    const isPair = first !== undefined && second !== undefined;
    const changes = (side: 'first' | 'second') => (isPair ? { changes: { calls, side } } : {});
    if (first) others.push(await summed(first, index, { summary: other, ...changes('first') }));
    if (second) cells.push(await summed(second, index, { summary, ...changes('second') }));
    calls.endPair();
  }
  const isCompared = pairs.some(({ first, second }) => first && second);
  return {
    label: set.label,
    run: summary.result(),
    against: { label: against.label, run: other.result() },
    comparison: { ...compareCells(others, cells), calls: isCompared ? calls.result() : undefined },
    tokensEvery: meter.every,
  };
}

interface Pair {
  readonly first?: FoundJournal | undefined;
  readonly second?: FoundJournal | undefined;
}

/** Journals of one name in both sets, or the only ones; the others alone. */
function pairsOf(first: readonly FoundJournal[], second: readonly FoundJournal[]): readonly Pair[] {
  if (first.length === 1 && second.length === 1) return [{ first: first[0], second: second[0] }];
  const named = new Map(second.map((journal) => [journal.name, journal]));
  const pairs = first.map((journal) => ({ first: journal, second: named.get(journal.name) }));
  const taken = new Set(first.map(({ name }) => name));
  return [...pairs, ...second.filter(({ name }) => !taken.has(name)).map((journal) => ({ second: journal }))];
}
