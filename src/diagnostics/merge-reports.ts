import { stateOf } from './build-report.ts';
import type { DiagnosticsReport } from './report.ts';

/** Reports of different files of one edit as one. */
export function mergeReports(reports: readonly DiagnosticsReport[]): DiagnosticsReport {
  const [first] = reports;
  if (first && reports.length === 1) return first;
  const servers = reports.flatMap((report) => report.servers);
  const inNoProject = reports.flatMap((report) => report.inNoProject ?? []);
  const counts = reports.map(({ before }) => before);
  return {
    state: stateOf(servers),
    ms: Math.max(...reports.map(({ ms }) => ms)),
    before: counts.some((count) => count === null)
      ? null
      : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
    unchecked: reports.reduce((sum, { unchecked }) => sum + unchecked, 0),
    ...(reports.some(({ isSeeking }) => isSeeking) ? { isSeeking: true } : {}),
    introduced: reports.flatMap(({ introduced }) => introduced),
    fixed: reports.flatMap(({ fixed }) => fixed),
    open: reports.flatMap(({ open }) => open),
    servers,
    ...(inNoProject.length > 0 ? { inNoProject } : {}),
  };
}
