import type { JournalRecord } from '../../broker/journal-record.ts';
import { foundErrors } from './found-errors.ts';
import type { CallTokens } from './token-meter.ts';

/** What two sets of runs are compared by: one figure for each journal. */
export const MEASURES = [
  { key: 'calls', name: 'calls', unit: 'count' },
  { key: 'failed', name: 'calls that failed', unit: 'share' },
  { key: 'refusedEdits', name: 'edits refused', unit: 'share' },
  { key: 'tolerantEdits', name: 'landed edits that were not exact', unit: 'share' },
  { key: 'loops', name: 'loops gated, of 100 calls', unit: 'count' },
  { key: 'introduced', name: 'errors introduced, of 100 edits', unit: 'count' },
  { key: 'fixed', name: 'errors fixed, of 100 edits', unit: 'count' },
  { key: 'callsToRecover', name: 'calls until recovery, mean', unit: 'count' },
  { key: 'waitedMs', name: 'waited for servers, of an edit', unit: 'ms' },
  { key: 'meanMs', name: 'time of a call, mean', unit: 'ms' },
  { key: 'tokensIn', name: 'tokens in, of a call', unit: 'count' },
  { key: 'tokensOut', name: 'tokens out, of a call', unit: 'count' },
  { key: 'shownBytes', name: 'bytes of a result', unit: 'count' },
] as const;

/** The name of a measure in `--json`. */
export type MeasureKey = (typeof MEASURES)[number]['key'];

/** The figures of one cell; `undefined` where it has nothing to measure. */
export type CellMeasures = { readonly [key in MeasureKey]: number | undefined };

const EDITING = new Set(['Edit', 'MultiEdit', 'apply_patch', 'Write']);

/** Sums the calls of one journal to its figures; a figure that it has no calls for is `undefined`. */
export function createCellMeasures() {
  const sum = { calls: 0, failed: 0, edits: 0, refused: 0, landed: 0, tolerant: 0, loops: 0 };
  const more = { introduced: 0, fixed: 0, waited: 0, ms: 0, input: 0, output: 0, counted: 0, shown: 0 };
  const recovered = { count: 0, calls: 0 };
  const per = (value: number, count: number): number | undefined => (count === 0 ? undefined : value / count);
  return {
    add(record: JournalRecord, tokens: CallTokens | undefined): void {
      sum.calls += 1;
      sum.failed += record.ok ? 0 : 1;
      sum.loops += record.code === 'loop_blocked' ? 1 : 0;
      more.ms += record.ms;
      more.shown += record.bytes.shown;
      if (EDITING.has(record.tool)) {
        sum.edits += 1;
        sum.refused += record.ok ? 0 : 1;
      }
      for (const { matched_via } of record.dry_run ? [] : record.files) {
        if (matched_via === undefined) continue;
        sum.landed += 1;
        sum.tolerant += matched_via === 'exact' ? 0 : 1;
      }
      const { introduced, fixed } = foundErrors(record);
      more.introduced += introduced;
      more.fixed += fixed;
      more.waited += record.diagnostics?.ms ?? 0;
      if (!tokens) return;
      more.input += tokens.input;
      more.output += tokens.output;
      more.counted += 1;
    },
    recovered(calls: number): void {
      recovered.count += 1;
      recovered.calls += calls;
    },
    result: (): CellMeasures => ({
      calls: sum.calls,
      failed: per(sum.failed, sum.calls),
      refusedEdits: per(sum.refused, sum.edits),
      tolerantEdits: per(sum.tolerant, sum.landed),
      loops: per(100 * sum.loops, sum.calls),
      introduced: per(100 * more.introduced, sum.edits),
      fixed: per(100 * more.fixed, sum.edits),
      callsToRecover: per(recovered.calls, recovered.count),
      waitedMs: per(more.waited, sum.edits),
      meanMs: per(more.ms, sum.calls),
      tokensIn: per(more.input, more.counted),
      tokensOut: per(more.output, more.counted),
      shownBytes: per(more.shown, sum.calls),
    }),
  };
}
