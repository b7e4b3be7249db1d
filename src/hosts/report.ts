import { open, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemClock } from '../workspace/clock.ts';
import { count, plural } from '../workspace/truncation.ts';
import { blobsFolderOf } from './replay-journal.ts';
import { buildReport, type JournalSet } from './report/build-report.ts';
import type { CallRef } from './report/call-list.ts';
import { cellName, findJournals } from './report/find-journals.ts';
import { createProgressBar } from './report/progress-bar.ts';
import type { RunSummary } from './report/run-summary.ts';
import { shortName } from './report/short-name.ts';
import type { TokenMode } from './report/token-meter.ts';
import { UsageError } from './usage-error.ts';

interface ReportOptions {
  readonly output?: string;
  readonly json?: boolean;
  readonly against?: readonly string[];
  readonly label?: string;
  readonly againstLabel?: string;
  readonly tokens?: string;
}

/**
 * `emend report JOURNAL… [--against JOURNAL…] [-o report.html] [--json]`: sums journals to one page, or to one line of
 * JSON on standard output. Returns the exit status: 0.
 * @throws UsageError for paths that can't be read and for options that contradict each other
 */
export async function report(journals: readonly string[], options: ReportOptions): Promise<number> {
  if (!options.json && options.output === undefined) {
    throw new UsageError('where to? Give -o report.html for a page, or --json for a program.');
  }
  const set = await setOf(journals, options.label ?? (options.against ? 'this' : 'Run'));
  const against = options.against ? await setOf(options.against, options.againstLabel ?? 'before') : undefined;
  const tokens = tokenMode(options.tokens);
  if (options.output !== undefined) await checkOutput(options.output, [set, ...(against ? [against] : [])]);
  const bar = createProgressBar(process.stderr, () => systemClock.now());
  const built = await buildReport({
    ...{ set, tokens, onProgress: bar.show },
    ...(against && { against }),
  });
  bar.clear();
  if (options.output !== undefined) {
    const { renderPage } = await import('./report/render-page.ts');
    const page = await renderPage(built, (ref, which) => blobsOf(which === 'first' ? against : set, ref));
    await writeFile(options.output, page);
    const runs = [built.run, ...(built.against ? [built.against.run] : [])];
    const calls = runs.reduce((sum, run) => sum + run.calls, 0);
    process.stderr.write(`${resolve(options.output)}: ${plural(calls, 'call')}${skippedWords(runs)}\n`);
  }
  if (options.json) process.stdout.write(`${JSON.stringify(built)}\n`);
  return 0;
}

/** What can't be written is told before hours of journals are read; a journal is never written over. */
async function checkOutput(output: string, sets: readonly JournalSet[]): Promise<void> {
  const folder = dirname(resolve(output));
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new UsageError(`-o ${output}: there is no folder ${folder}. Make it, or name a file in another.`);
  }
  const there = await stat(output).catch(() => undefined);
  await checkWritable(output, there);
  if (!there) return;
  if (!there.isFile())
    throw new UsageError(`-o ${output} is no file. Name the page to write, as ${output}/report.html.`);
  const page = await realpath(output);
  for (const file of sets.flatMap(({ journals }) => journals.flatMap(({ files }) => files))) {
    if ((await realpath(file)) === page) {
      throw new UsageError(`-o ${output} is one of the journals: the page would write over it. Name another file.`);
    }
  }
}

/** Opens it for writing, which is all that tells; one that was not there is not there afterwards. */
async function checkWritable(output: string, there: object | undefined): Promise<void> {
  if (there && !(await stat(output)).isFile()) return;
  try {
    await (await open(output, 'a')).close();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`-o ${output}: it can't be written (${why}). Name another file.`, { cause: error });
  }
  if (!there) await rm(output, { force: true });
}

const SKIPPED = { broken: 'broken', other_version: 'of another format', too_long: 'too long' } as const;

/** `, 7 lines skipped (6 broken, 1 of another format)`. */
function skippedWords(runs: readonly Pick<RunSummary, 'skipped'>[]): string {
  const kinds = (['broken', 'other_version', 'too_long'] as const).map((kind) => ({
    kind,
    lines: runs.reduce((sum, { skipped }) => sum + skipped[kind], 0),
  }));
  const lines = kinds.reduce((sum, each) => sum + each.lines, 0);
  const why = kinds.flatMap((each) => (each.lines > 0 ? [`${count(each.lines)} ${SKIPPED[each.kind]}`] : []));
  const unread = runs.reduce((sum, { skipped }) => sum + skipped.unreadable, 0);
  return [
    ...(lines > 0 ? [`, ${plural(lines, 'line')} skipped (${why.join(', ')})`] : []),
    ...(unread > 0 ? [`, ${plural(unread, 'journal')} could not be read`] : []),
  ].join('');
}

async function setOf(paths: readonly string[], label: string): Promise<JournalSet> {
  return { label: shortName(label, 60), journals: await findJournals(paths) };
}

function blobsOf(set: JournalSet | undefined, { cell }: CallRef): string | undefined {
  const file = set?.journals.find(({ name }) => cellName(name) === cell)?.files.at(-1);
  return file === undefined ? undefined : blobsFolderOf(file);
}

function tokenMode(asked: string | undefined): TokenMode {
  if (asked === undefined || asked === 'sample') return 'sample';
  if (asked === 'all' || asked === 'none') return asked;
  throw new UsageError(`--tokens ${asked}: it is all, sample or none.`);
}
