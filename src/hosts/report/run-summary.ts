import type { JournalRecord } from '../../broker/journal-record.ts';
import { CallCollector, type CallRef } from './call-list.ts';
import { createFoughtFiles } from './fought-files.ts';
import { foundErrors } from './found-errors.ts';
import { Keyed } from './keyed.ts';
import { createOpenErrors } from './open-errors.ts';
import { createQuantileSketch, type QuantileSketch, spreadOf } from './quantile-sketch.ts';
import type { Skipped } from './read-journal.ts';
import { createRecoveries } from './recoveries.ts';
import { shortName } from './short-name.ts';
import { createTimeBins } from './time-bins.ts';
import type { CallTokens } from './token-meter.ts';

/** Results longer than this are floods. */
export const FLOOD_BYTES = 20 * 1024;

interface OfTool {
  readonly latency: QuantileSketch;
  readonly slowest: { ref: CallRef | undefined };
  readonly tokens: { input: number; output: number; counted: number; weight: number };
  readonly failed: CallCollector;
  readonly all: CallCollector;
}

const collector = (): CallCollector => new CallCollector();
const listed = (of: Keyed<CallCollector>) =>
  of
    .entries()
    .map(([name, calls]) => ({ name, ...calls.toJSON() }))
    .sort((a, b) => b.count - a.count);

/** Sums calls of any number of journals, one journal after the other, in bounded memory. */
export function createRunSummary() {
  const sums = { journals: 0, calls: 0, failed: 0, introduced: 0, fixed: 0, open: 0, waitedMs: 0, cutBytes: 0 };
  const skipped: Record<Skipped | 'unreadable' | 'texts', number> = {
    ...{ broken: 0, other_version: 0, too_long: 0, unreadable: 0, texts: 0 },
  };
  const time = { from: '', to: '' };
  const versions = new Keyed(() => ({ count: 0 }), 20);
  const via = new Keyed(collector, 30);
  const codes = new Keyed(() => ({ calls: new CallCollector(), until: createQuantileSketch(), never: 0 }), 40);
  const tools = new Keyed<OfTool>(() => ({
    ...{ latency: createQuantileSketch(), slowest: { ref: undefined }, failed: new CallCollector() },
    ...{ all: new CallCollector(), tokens: { input: 0, output: 0, counted: 0, weight: 0 } },
  }));
  const servers = new Keyed(() => ({ calls: new CallCollector(), waited: createQuantileSketch() }), 40);
  const states = new Keyed(() => ({ calls: new CallCollector(), waited: createQuantileSketch() }), 20);
  const lists = {
    introduced: collector(),
    fixed: collector(),
    late: collector(),
    loops: collector(),
    cut: collector(),
    floods: collector(),
  };
  const stays = { calls: createQuantileSketch(), ms: createQuantileSketch() };
  const fought = createFoughtFiles();
  const bins = createTimeBins();
  let sessions = new Set<string>();
  let sessionCount = 0;
  let recoveries = createRecoveries();
  let openErrors = createOpenErrors();
  let begin: number | undefined;

  /** Returns how many errors of this run are gone. */
  const addStays = (record: JournalRecord): number => {
    let closed = 0;
    for (const { errors, calls, ms } of openErrors.add(record).stays) {
      closed += errors;
      for (let error = 0; error < Math.min(errors, 1000); error += 1) {
        stays.calls.add(calls);
        stays.ms.add(ms);
      }
    }
    return closed;
  };
  const addDiagnostics = (record: JournalRecord, ref: CallRef): void => {
    const { introduced, fixed } = foundErrors(record);
    sums.introduced += introduced;
    sums.fixed += fixed;
    if (introduced > 0) lists.introduced.add(ref);
    if (fixed > 0) lists.fixed.add(ref);
    if (record.late) lists.late.add(ref);
    const found = record.diagnostics;
    if (!found) return;
    sums.waitedMs += found.ms;
    const asked = found.servers.slice(0, 20).filter(({ waited_ms: waited }) => waited !== undefined);
    // Journals of before did not say how long each was waited for.
    const timed = asked.length > 0 ? asked : found.servers.slice(0, 20);
    for (const [of, name, waitedMs] of [
      [states, found.state, found.ms] as const,
      ...timed.map(({ name, waited_ms: waited = found.ms }) => [servers, name, waited] as const),
    ]) {
      const each = of.at(shortName(name, 60));
      each.calls.add(ref);
      each.waited.add(waitedMs);
    }
  };
  const addTokens = (tool: OfTool, tokens: CallTokens | 'not counted' | 'gone'): void => {
    if (tokens === 'gone') skipped.texts += 1;
    if (typeof tokens === 'string') return;
    tool.tokens.input += tokens.input * tokens.weight;
    tool.tokens.output += tokens.output * tokens.weight;
    tool.tokens.counted += 1;
    tool.tokens.weight += tokens.weight;
  };

  return {
    skip(why: keyof typeof skipped): void {
      skipped[why] += 1;
    },
    /** Returns the calls until recovery of each refusal that this call ended. */
    add(record: JournalRecord, ref: CallRef, tokens: CallTokens | 'not counted' | 'gone'): readonly number[] {
      sums.calls += 1;
      if (sessions.size < 10_000) sessions.add(record.session);
      versions.at(shortName(record.emend, 40)).count += 1;
      const at = Date.parse(record.time);
      if (!Number.isNaN(at)) {
        begin ??= at;
        if (time.from === '' || at < Date.parse(time.from)) time.from = new Date(at).toISOString();
        if (time.to === '' || at > Date.parse(time.to)) time.to = new Date(at).toISOString();
      }
      const outcome = record.ok ? { ok: 1 } : { refused: 1 };
      bins.add(at - (begin ?? at), { ...outcome, ...foundErrors(record), closed: addStays(record) });
      const tool = tools.at(shortName(record.tool, 40));
      tool.all.add(ref);
      if (tool.slowest.ref === undefined || record.ms > tool.latency.max()) tool.slowest.ref = ref;
      tool.latency.add(record.ms);
      addTokens(tool, tokens);
      if (!record.ok) {
        sums.failed += 1;
        tool.failed.add(ref);
        codes.at(ref.outcome).calls.add(ref);
        if (record.code === 'loop_blocked') lists.loops.add(ref);
      }
      for (const file of record.dry_run ? [] : record.files) {
        if (file.matched_via !== undefined) via.at(shortName(file.matched_via, 40)).add(ref);
      }
      const saved = Math.max(0, record.bytes.whole - record.bytes.shown);
      sums.cutBytes += saved;
      if (saved > 0) lists.cut.add(ref);
      if (record.bytes.shown > FLOOD_BYTES) lists.floods.add(ref);
      addDiagnostics(record, ref);
      fought.add(record, ref);
      const ended: number[] = [];
      for (const { code, calls } of recoveries.add(record)) {
        if (calls === undefined) continue;
        codes.at(shortName(code, 40)).until.add(calls);
        ended.push(calls);
      }
      return ended;
    },
    endJournal(): void {
      sums.journals += 1;
      sums.open += openErrors.count();
      sessionCount += sessions.size;
      for (const { code } of recoveries.end()) codes.at(shortName(code, 40)).never += 1;
      fought.endJournal();
      sessions = new Set();
      recoveries = createRecoveries();
      openErrors = createOpenErrors();
      begin = undefined;
    },
    result: () => ({
      ...sums,
      sessions: sessionCount,
      ...time,
      versions: versions.entries().map(([name, { count }]) => ({ name, count })),
      skipped,
      matchedVia: listed(via),
      refusals: codes
        .entries()
        .map(([name, { calls, until, never }]) => ({
          ...{ name, ...calls.toJSON(), never, recovered: until.count() },
          callsUntil: spreadOf(until),
        }))
        .sort((a, b) => b.count - a.count),
      loops: lists.loops.toJSON(),
      errors: {
        ...{ introducedBy: lists.introduced.toJSON(), fixedBy: lists.fixed.toJSON(), late: lists.late.toJSON() },
        ...{ stayCalls: spreadOf(stays.calls), stayMs: spreadOf(stays.ms) },
      },
      waits: [...states.entries(), ...servers.entries()].map(([name, { calls, waited }], index) => ({
        ...{ name, kind: index < states.entries().length ? ('state' as const) : ('server' as const) },
        ...{ ...calls.toJSON(), waitedMs: waited.sum(), ...spreadOf(waited) },
      })),
      tools: tools
        .entries()
        .map(([name, { latency, slowest, tokens, failed, all }]) => ({
          ...{ name, ...all.toJSON(), failed: failed.toJSON(), totalMs: latency.sum(), ...spreadOf(latency) },
          ...(slowest.ref && { slowest: slowest.ref }),
          tokens: scaled(tokens, all.count),
        }))
        .sort((a, b) => b.count - a.count),
      cut: lists.cut.toJSON(),
      floods: lists.floods.toJSON(),
      fought: fought.result(),
      timeline: bins.result(),
    }),
  };
}

/** The figures of a set of journals. */
export type RunSummary = ReturnType<ReturnType<typeof createRunSummary>['result']>;

/** Counted calls stand for all of their tool. */
function scaled({ input, output, counted, weight }: OfTool['tokens'], calls: number) {
  const by = weight === 0 ? 0 : calls / weight;
  return { input: Math.round(input * by), output: Math.round(output * by), counted };
}
