import type { Clock } from '../clock.ts';
import type { DocumentStore } from '../document-store.ts';
import { LOOK_BUDGETS, type LookBudgets } from '../look-budgets.ts';
import type { Complaints } from './complaints.ts';
import type { CreateScratch } from './disk-scratch.ts';
import { type FileMatches, GrepCollector } from './grep-collector.ts';
import { type GrepEvent, isWanted, readGrepEvent } from './grep-event.ts';
import { JsonLines } from './json-lines.ts';
import { listFiles } from './list-files.ts';
import { showLongLines } from './long-lines.ts';
import { type UnsavedMatches, UnsavedMerge } from './merge-unsaved.ts';
import { matchesInOtherEncodings, type OtherEncodings } from './other-encodings.ts';
import { type OtherForms, otherForms } from './other-forms.ts';
import { countPassedOver, type PassedOver } from './passed-over.ts';
import type { Ripgrep } from './ripgrep.ts';
import { type RipgrepEnd, runRipgrep, type Wish } from './ripgrep-run.ts';
import { type GrepRequest, grepArgs } from './search-request.ts';
import { createUnsavedTree } from './unsaved-tree.ts';

/** What a search needs of the world. */
export interface SearchPorts {
  readonly ripgrep: Ripgrep;
  readonly store: DocumentStore;
  readonly clock: Clock;
  /** Milliseconds that the start of a command takes where the files are, where that is worth a word. */
  readonly startMs?: number;
  readonly looks?: LookBudgets;
  /** Makes a folder of temporary files where ripgrep runs. */
  readonly createScratch: CreateScratch;
}

/** The lines that were found, and how sure that is. */
export interface GrepFindings {
  readonly files: readonly FileMatches[];
  /** Of matching lines, or of files where files are asked for: shown here, and seen until the scan ended. */
  readonly shown: number;
  readonly seen: {
    readonly units: number;
    readonly files: number;
    readonly lines: number;
    /** Lines of text in them: a match over several lines is one. */
    readonly textLines: number;
    readonly matches: number;
  };
  /** `whole`: all was searched. `cut`: there is more, and it was not counted. `budget`: the time was up. */
  readonly scan: 'whole' | 'cut' | 'budget';
  /** There is more than is shown. */
  readonly isCut: boolean;
  /** Not all lines in and around the matches that are shown are there. */
  readonly isContextCut: boolean;
  /** Files searched; of a scan that was ended, not known. */
  readonly searched: number | undefined;
  /** Files whose search a NUL byte ended, and where. */
  readonly stoppedAt: readonly { readonly path: string; readonly offset: number }[];
  readonly complaints: Complaints;
  /** Files that match and were not searched; looked for where little was found. */
  readonly passedOver: PassedOver | undefined;
  /** Files that match in an encoding that was not known; looked for where little was found, and `unknown` in large trees. */
  readonly otherEncodings: OtherEncodings | 'unknown' | undefined;
  /** Where nothing was found: whether another reading of the pattern finds something. */
  readonly otherForms: OtherForms | undefined;
}

const FEW = 3;
const COUNT_BUDGET_MS = 1000;
/** Arguments that say what is searched for, not where. */
const SEARCH_ONLY = /^--(?:json|max-count|before-context|after-context|multiline|engine|crlf)/;
const FEW_FILES = 20_000;

/** Searches the text of files with ripgrep: in order of path, then line, unsaved buffers in place of their files. */
export async function grep(request: GrepRequest, ports: SearchPorts, signal?: AbortSignal): Promise<GrepFindings> {
  const startedAt = ports.clock.now();
  const { filter } = request;
  const scratch = filter.ignoreFile && (await ports.createScratch(new Map([['ignore', filter.ignoreFile]])));
  const tree = await createUnsavedTree(ports, request.place.folder);
  try {
    const args = grepArgs(request, scratch ? `${scratch.folder}/ignore` : undefined);
    const unsaved: UnsavedMatches = tree
      ? { paths: tree.paths, events: await unsavedEvents(request, { ...ports, args, place: tree.place }, signal) }
      : { paths: new Set(), events: new Map() };
    const { collector, end } = await search(request, { ...ports, args, unsaved }, signal);
    if (end.complaints.pattern === undefined && end.complaints.glob === undefined) {
      await showLongLines(collector.files, request.place.folder, ports.store);
    }
    const isWhole = end.by === 'itself';
    // Of few files the second look is short too, however busy the machine is.
    const spentMs = collector.searches < FEW_FILES ? 0 : ports.clock.now() - startedAt;
    const isLittle = isWhole && collector.seenFiles <= FEW && !hasFailed(end);
    const isFolder = request.place.target === './';
    const past = { args, cwd: request.place.folder, spentMs, known: collector.seenFiles, filter };
    const known = new Set([...unsaved.paths, ...collector.seenPaths]);
    const look = { request, args, known };
    const [passedOver, otherEncodings, forms] = await Promise.all([
      isLittle && isFolder && !request.switches.has('no-ignore') ? countPassedOver(past, ports, signal) : undefined,
      !isLittle ? undefined : spentMs > 0 ? ('unknown' as const) : matchesInOtherEncodings(look, ports, signal),
      isLittle && collector.seenFiles === 0 && spentMs === 0 ? otherForms(look, ports, signal) : undefined,
    ]);
    return {
      files: collector.files,
      shown: collector.shown,
      seen: {
        units: collector.seen,
        files: collector.seenFiles,
        lines: collector.seenLines,
        textLines: collector.seenTextLines,
        matches: collector.seenMatches,
      },
      scan: isWhole ? 'whole' : end.by === 'budget' ? 'budget' : 'cut',
      isCut: collector.isFull,
      isContextCut: collector.isContextCut,
      searched: isWhole ? await searchedFiles(request, { ripgrep: ports.ripgrep, args, collector }, signal) : undefined,
      // A file that was named is searched to its end.
      stoppedAt: request.place.target === './' ? collector.stoppedAt : [],
      complaints: end.complaints,
      passedOver,
      otherEncodings,
      otherForms: forms,
    };
  } finally {
    await Promise.all([scratch ? scratch.remove() : undefined, tree?.remove()]);
  }
}

/** ripgrep counts also what it finds beside the filter; where nothing was found that would be no proof of anything. */
async function searchedFiles(
  { filter, place }: GrepRequest,
  search: { readonly ripgrep: Ripgrep; readonly args: readonly string[]; readonly collector: GrepCollector },
  signal: AbortSignal | undefined,
): Promise<number> {
  const { ripgrep, collector } = search;
  if (filter.accepts === undefined || collector.seenFiles > 0 || collector.searches === 0) return collector.searches;
  const walk = search.args.slice(0, search.args.indexOf('--regexp')).filter((arg) => !SEARCH_ONLY.test(arg));
  const listing = { args: [...walk, '--files', '--null'], cwd: place.folder, budgetMs: COUNT_BUDGET_MS };
  const { count, by } = await listFiles({ ripgrep, ...listing, accepts: filter.accepts }, signal);
  return by === 'itself' ? count : collector.searches;
}

interface Search extends SearchPorts {
  readonly args: readonly string[];
  readonly unsaved: UnsavedMatches;
}

async function search(
  request: GrepRequest,
  { ripgrep, args, unsaved, clock, looks = LOOK_BUDGETS }: Search,
  signal: AbortSignal | undefined,
): Promise<{ readonly collector: GrepCollector; readonly end: RipgrepEnd }> {
  const attempt = async (extra: readonly string[]) => {
    const startedAt = clock.now();
    const collector = new GrepCollector(request);
    const lines = new JsonLines();
    const merge = new UnsavedMerge(unsaved);
    const read = (chunk: Buffer): Wish => {
      for (const line of lines.take(chunk)) {
        const event = readGrepEvent(line);
        if (event && isWanted(event, request.filter)) for (const merged of merge.take(event)) collector.take(merged);
      }
      // Most trees end within the time that is taken to count the rest, and then the total is said.
      return collector.isFull ? { enoughInMs: Math.max(looks.countMs, clock.now() - startedAt) } : 'more';
    };
    const options = { cwd: request.place.folder, budgetMs: request.budgetMs, signal };
    const end = await runRipgrep(ripgrep, [...args, ...extra, '--', request.place.target], options, read);
    return { collector, end };
  };
  const first = await attempt([]);
  return first.end.complaints.isExhausted ? attempt(['--threads=1']) : first;
}

/** ripgrep ends with 2 after any error, also beside matches; with matches it is partial, without a real failure. */
function hasFailed(end: RipgrepEnd): boolean {
  return end.exit.kind !== 'code' || end.exit.code > 1;
}

async function unsavedEvents(
  request: GrepRequest,
  ports: SearchPorts & { readonly args: readonly string[]; readonly place: string },
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, readonly GrepEvent[]>> {
  const events = new Map<string, GrepEvent[]>();
  const lines = new JsonLines();
  let current: GrepEvent[] = [];
  const read = (chunk: Buffer): Wish => {
    for (const line of lines.take(chunk)) {
      const event = readGrepEvent(line);
      if (!event || event.kind === 'summary' || !isWanted(event, request.filter)) continue;
      if (event.kind === 'begin') {
        current = [];
        events.set(event.path, current);
      }
      current.push(event);
    }
    return 'more';
  };
  const options = { cwd: ports.place, budgetMs: request.budgetMs, signal };
  await runRipgrep(ports.ripgrep, [...ports.args, '--', request.place.target], options, read);
  return events;
}
