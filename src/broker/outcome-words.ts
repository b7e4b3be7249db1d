import type { Reflow } from '../diagnostics/diagnostics-board.ts';
import type { DiagnosticsReport, FileDiagnostic, ServerAnswer } from '../diagnostics/report.ts';
import { linesAsOne } from '../workspace/lines-as-one.ts';
import { shortened } from '../workspace/truncation.ts';
import { visibleMessage, visibleName } from '../workspace/visible-text.ts';
import { partMissingPackages } from './missing-packages.ts';
import { lineList, rangeWords } from './range-words.ts';
import type { FileReceipt } from './receipt.ts';

/** The one place that words what landed changes and their diagnostics look like to a model. */

/** Findings that an answer shows; the others are counted. */
export const MAX_DIAGNOSTICS = 10;

/** So many files are named in an answer, at most. */
export const MAX_DIAGNOSTIC_FILES = 5;
const MAX_MESSAGE = 300;

/** `Edited src/auth.ts (+3 -1) L41-43 [e7] matched_via: indentation-flexible (shifted 4 spaces)`. */
export function landedLine(file: FileReceipt, receipt: string, detail: string | undefined): string {
  const via = file.matched_via && file.matched_via !== 'exact' ? ` matched_via: ${file.matched_via}` : '';
  const how = via && detail ? ` (${detail})` : '';
  return `${DONE[file.op]} ${whatOf(file)} [${receipt}]${via}${how}`;
}

/** `Would edit src/auth.ts (+3 -1) L41-43`, of a change that was only tried. */
export function plannedLine(file: FileReceipt): string {
  return `Would ${WOULD[file.op]} ${whatOf(file)}`;
}

const DONE = { edit: 'Edited', create: 'Created', delete: 'Deleted', move: 'Moved' } as const;
const WOULD = { edit: 'edit', create: 'create', delete: 'delete', move: 'move' } as const;

function whatOf(file: FileReceipt): string {
  const size = `(+${file.added} -${file.removed})`;
  switch (file.op) {
    case 'edit':
      return file.hunks.length > 0 ? `${nameOf(file)} ${size} ${placesOf(file)}` : `${nameOf(file)} ${size}`;
    case 'create':
      return `${nameOf(file)} (${countOf(file.added, 'line')})`;
    case 'delete':
      return `${file.path} (${countOf(file.removed, 'line')})`;
    case 'move':
      return `${file.from} to ${file.path}${file.hunks.length > 0 ? ` ${size} ${placesOf(file)}` : ''}`;
  }
}

/** A file that was named by a link has both names. */
function nameOf({ path, link }: FileReceipt): string {
  return link === undefined ? path : `${link} (link to ${path})`;
}

/** The first line of the answer to a Write over a file that was there. */
export function overwroteLine(file: FileReceipt, receipt: string): string {
  return `Overwrote ${nameOf(file)} (+${file.added} -${file.removed}) [${receipt}]`;
}

/** `note: kept as in the file: L12, L15-16 (old_string had other words there)`, or nothing. */
export function keptNote(kept: readonly number[]): string | undefined {
  if (kept.length === 0) return undefined;
  return `note: kept as in the file: ${lineList(kept)} (old_string had other words there)`;
}

/** The lines about diagnostics, or none where no server speaks the language. */
export function diagnosticsLines(report: DiagnosticsReport, shown: string, pendingHint: string): readonly string[] {
  switch (report.state) {
    case 'none':
      return [];
    case 'pending':
      return [`diagnostics: pending (${reasonOf(report.servers)}); ${pendingHint}`];
    case 'unavailable':
      return [`diagnostics: unavailable (${reasonOf(report.servers)})`];
    case 'fresh':
      return freshLines(report, shown);
  }
}

/** Late diagnostics of an earlier edit. */
export function reflowLines(reflow: Reflow): readonly string[] {
  const { report } = reflow;
  if (report.state !== 'fresh')
    return [`diagnostics of [${reflow.receipt}]: ${report.state} (${reasonOf(report.servers)})`];
  if (report.before === null) {
    const list = [...report.introduced, ...report.open];
    const clean = list.length === 0 ? 'clean' : `${findings(list)} (not known which are new)`;
    return [`diagnostics of [${reflow.receipt}]: ${clean}`, ...listed('+', list), ...noProjectLines(report)];
  }
  return [`diagnostics of [${reflow.receipt}]: ${countsOf(report)}`, ...deltaList(report)];
}

/** `src/api/login.ts:17:5 error TS2554 Expected 2 arguments, but got 1.`, 1-based. */
export function diagnosticLine(diagnostic: FileDiagnostic): string {
  const { line, character } = diagnostic.range.start;
  const code = diagnostic.code === undefined ? '' : ` ${visibleName(`${diagnostic.code}`)}`;
  const message = visibleMessage(linesAsOne(diagnostic.message));
  const cut = shortened(message, MAX_MESSAGE);
  return `${diagnostic.path}:${line + 1}:${character + 1} ${diagnostic.severity}${code} ${cut}`;
}

/** How many diagnostics a list shows, and what it says behind the number of the others. */
interface ListLimits {
  readonly most: number;
  readonly ending: string;
}

const IN_ANSWERS: ListLimits = { most: MAX_DIAGNOSTICS, ending: ' (Diagnostics lists them)' };

/** At most 10 diagnostics (or as `limits` say) over 5 files, then how many more; packages that are not installed are said once. */
export function listed(sign: string, diagnostics: readonly FileDiagnostic[], limits = IN_ANSWERS): readonly string[] {
  const { missing, others } = partMissingPackages(diagnostics);
  const [first] = missing;
  if (!first) return listedSingly(sign, others, limits);
  const said = `${sign} ${missing.length} imports of packages that are not found (not installed here?), as ${diagnosticLine(first)}`;
  return [...listedSingly(sign, others, limits), said];
}

function listedSingly(sign: string, diagnostics: readonly FileDiagnostic[], limits: ListLimits): readonly string[] {
  const files = new Set<string>();
  const shown: string[] = [];
  for (const diagnostic of diagnostics) {
    if (shown.length === limits.most) break;
    if (!files.has(diagnostic.path) && files.size === MAX_DIAGNOSTIC_FILES) continue;
    files.add(diagnostic.path);
    shown.push(`${sign} ${diagnosticLine(diagnostic)}`);
  }
  const left = diagnostics.length - shown.length;
  return left === 0 ? shown : [...shown, `${sign} … ${left} more${limits.ending}`];
}

function freshLines(report: DiagnosticsReport, shown: string): readonly string[] {
  const counted = report.unchecked > 0 ? `; ${countOf(report.unchecked, 'dependent file')} not checked yet` : '';
  const unchecked = report.isSeeking ? '; dependent files not checked yet' : counted;
  if (report.before === null) {
    const list = [...report.introduced, ...report.open];
    if (list.length === 0) return [`diagnostics: clean (${report.ms} ms)${unchecked}`];
    const known = `${findings(list)} in ${shown} (not known which are new)`;
    return [`diagnostics: ${known}${unchecked}`, ...listed('?', list), ...noProjectLines(report)];
  }
  const quiet =
    report.introduced.length === 0 && report.fixed.length === 0 && report.open.length === 0 && report.before === 0;
  const counts = quiet ? 'clean' : countsOf(report);
  return [`diagnostics: ${counts} (${report.ms} ms)${unchecked}`, ...deltaList(report)];
}

function deltaList(report: DiagnosticsReport): readonly string[] {
  return [...listed('+', report.introduced), ...listed('=', report.open), ...noProjectLines(report)];
}

/** Findings under options that nobody chose. */
function noProjectLines({ inNoProject, introduced, open }: DiagnosticsReport): readonly string[] {
  const shown = new Set([...introduced, ...open].map(({ path }) => path));
  const paths = inNoProject?.filter((path) => shown.has(path)) ?? [];
  if (paths.length === 0) return [];
  const left = paths.length - MAX_DIAGNOSTIC_FILES;
  const named = `${paths.slice(0, MAX_DIAGNOSTIC_FILES).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
  return [`note: no project takes in ${named}: judged by default options`];
}

function countsOf(report: DiagnosticsReport): string {
  const parts = [`${report.introduced.length} introduced`, `${report.fixed.length} fixed`];
  if (report.open.length > 0) parts.push(`${report.open.length} still open`);
  if (report.before !== null && report.before > 0) parts.push(`${report.before} before`);
  return parts.join(', ');
}

/** `typescript is loading, 2.0 s` for what is pending, `gopls: not on PATH` for what can't be known. */
export function reasonOf(servers: readonly ServerAnswer[]): string {
  const reasons = servers.flatMap(({ name, state, reason, sinceMs }) => {
    if (state === 'fresh') return [];
    if (reason === undefined) return [name];
    if (state === 'unavailable') return [`${name}: ${reason}`];
    return [`${name} is ${reason}${sinceMs === undefined ? '' : `, ${(sinceMs / 1000).toFixed(1)} s`}`];
  });
  return reasons.length > 0 ? reasons.join('; ') : 'no answer yet';
}

const MAX_PLACES = 6;

function placesOf(file: FileReceipt): string {
  const ranges = file.hunks.map((hunk) => {
    const [first, count] = hunk.new;
    return rangeWords([first, Math.max(first, first + count - 1)]);
  });
  const left = ranges.length - MAX_PLACES;
  return left > 0 ? `${ranges.slice(0, MAX_PLACES).join(', ')} and ${left} more` : ranges.join(', ');
}

function findings(list: readonly FileDiagnostic[]): string {
  return countOf(list.length, list.every(({ severity }) => severity === 'error') ? 'error' : 'finding');
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
