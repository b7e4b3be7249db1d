import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemClock } from '../workspace/clock.ts';
import { blobsFolderOf } from './replay-journal.ts';
import { buildReport, type JournalSet } from './report/build-report.ts';
import type { CallRef } from './report/call-list.ts';
import { findJournals } from './report/find-journals.ts';
import { createProgressBar } from './report/progress-bar.ts';
import { shortName } from './report/short-name.ts';
import type { TokenMode } from './report/token-meter.ts';
import { UsageError } from './usage-error.ts';

export interface ReportOptions {
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
  const bar = createProgressBar(process.stderr, () => systemClock.now());
  const built = await buildReport({
    ...{ set, tokens: tokenMode(options.tokens), onProgress: bar.show },
    ...(against && { against }),
  });
  bar.clear();
  if (options.output !== undefined) {
    const { renderPage } = await import('./report/render-page.ts');
    const page = await renderPage(built, (ref, which) => blobsOf(which === 'first' ? against : set, ref));
    await writeFile(options.output, page);
    process.stderr.write(`${resolve(options.output)}: ${built.run.calls + (built.against?.run.calls ?? 0)} calls\n`);
  }
  if (options.json) process.stdout.write(`${JSON.stringify(built)}\n`);
  return 0;
}

async function setOf(paths: readonly string[], label: string): Promise<JournalSet> {
  return { label: shortName(label, 60), journals: await findJournals(paths) };
}

function blobsOf(set: JournalSet | undefined, { cell }: CallRef): string | undefined {
  const file = set?.journals.find(({ name }) => shortName(name, 120) === cell)?.files.at(-1);
  return file === undefined ? undefined : blobsFolderOf(file);
}

function tokenMode(asked: string | undefined): TokenMode {
  if (asked === undefined || asked === 'sample') return 'sample';
  if (asked === 'all' || asked === 'none') return asked;
  throw new UsageError(`--tokens ${asked}: it is all, sample or none.`);
}
