import type { Serving } from '../workspace/language-server/language-servers.ts';
import type { Tracked } from './delta.ts';
import type { FileNews } from './file-ledger.ts';
import type { DiagnosticsReport, FileDiagnostic, ServerAnswer, Severity } from './report.ts';

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, information: 2, hint: 3 };

/** Whether a finding is at least as grave as asked for. */
export function isAtLeast(diagnostic: FileDiagnostic, severity: Severity): boolean {
  return RANK[diagnostic.severity] <= RANK[severity];
}

/** One report of what several servers said about several files; what two servers say alike is said once. */
export function buildReport(input: {
  readonly session: string;
  readonly news: readonly FileNews[];
  readonly servers: readonly ServerAnswer[];
  /** Servers that would speak the language and are not installed. */
  readonly missing?: readonly ServerAnswer[];
  readonly severity: Severity;
  readonly ms: number;
  readonly ownMs?: number;
  readonly unchecked?: number;
  readonly isSeeking?: boolean;
}): DiagnosticsReport {
  const { session, news, servers } = input;
  const pick = (tracked: readonly Tracked[]): readonly FileDiagnostic[] =>
    distinct(tracked.map(({ diagnostic }) => diagnostic)).filter((item) => isAtLeast(item, input.severity));
  const isNew = new Set(news.flatMap(({ introduced }) => introduced.map(({ id }) => id)));
  const isOld = ({ id }: Tracked): boolean => !isNew.has(id);
  const old = news.flatMap(({ tracked }) => tracked).filter(isOld);
  const ownOld = news.flatMap(({ role, tracked }) => (role === 'own' ? tracked : [])).filter(isOld);
  const inNoProject = distinctPaths(
    news.filter(({ isInNoProject }) => isInNoProject).flatMap(({ tracked }) => tracked),
  );
  return {
    state: stateOf(servers),
    ms: Math.round(input.ms),
    ...(input.ownMs === undefined ? {} : { ownMs: Math.round(input.ownMs * 10) / 10 }),
    before: pick(ownOld.filter(({ origin }) => origin?.session !== session)).length,
    unchecked: input.unchecked ?? 0,
    ...(input.isSeeking ? { isSeeking: true } : {}),
    introduced: pick(news.flatMap(({ introduced }) => introduced)),
    fixed: pick(news.flatMap(({ fixed }) => fixed)),
    open: pick(old.filter(({ origin }) => origin?.session === session)),
    servers: [...servers, ...(input.missing ?? [])],
    ...(inNoProject.length > 0 ? { inNoProject } : {}),
  };
}

function distinctPaths(tracked: readonly Tracked[]): readonly string[] {
  return [...new Set(tracked.map(({ diagnostic }) => diagnostic.path))];
}

/** Pending while one is; fresh when one could say it. */
export function stateOf(servers: readonly ServerAnswer[]): DiagnosticsReport['state'] {
  if (servers.length === 0) return 'none';
  if (servers.some(({ state }) => state === 'pending')) return 'pending';
  return servers.some(({ state }) => state === 'fresh') ? 'fresh' : 'unavailable';
}

function distinct(diagnostics: readonly FileDiagnostic[]): readonly FileDiagnostic[] {
  const byKey = new Map(
    diagnostics.map((item) => [JSON.stringify([item.path, item.range, item.code, item.message]), item]),
  );
  return [...byKey.values()];
}

/** How definitions that can't serve stand in a report. */
export function missingAnswers(serving: Serving): readonly ServerAnswer[] {
  return serving.missing.map(({ definition, reason }) => ({
    name: definition.name,
    version: null,
    state: 'unavailable',
    reason,
  }));
}
