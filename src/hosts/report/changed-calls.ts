import type { JournalRecord } from '../../broker/journal-record.ts';
import type { CallRef } from './call-list.ts';

/** A call that both runs made, and that came out otherwise. */
interface ChangedCall {
  readonly first: CallRef;
  readonly second: CallRef;
  readonly what: string;
}

/** How the calls of two runs differ. */
export interface ChangedCalls {
  /** Calls with the same arguments in both runs, the n-th with the n-th. */
  readonly both: number;
  readonly changed: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Of changed ones, how: `no_match → ok`. */
  readonly kinds: readonly (readonly [string, number])[];
  readonly examples: readonly ChangedCall[];
}

interface Outcome {
  readonly ref: CallRef;
  readonly outcome: string;
  readonly contents: string;
}

const MAX_CALLS = 20_000;
const MAX_EXAMPLES = 40;
const MAX_KINDS = 100;

/** Finds the calls of pairs of runs that came out otherwise; holds one run of a pair at a time. */
export function createChangedCalls() {
  const sums = { both: 0, changed: 0, onlyFirst: 0, onlySecond: 0 };
  const kinds = new Map<string, number>();
  const examples: ChangedCall[] = [];
  let held = new Map<string, Outcome[]>();
  let size = 0;
  return {
    /** A call of the first run of a pair; `key` is the same for the same tool and arguments. */
    first(key: string, record: JournalRecord, ref: CallRef): void {
      if (size >= MAX_CALLS) return;
      size += 1;
      const same = held.get(key) ?? [];
      same.push({ ref, ...outcomeOf(record) });
      held.set(key, same);
    },
    second(key: string, record: JournalRecord, ref: CallRef): void {
      const other = held.get(key)?.shift();
      if (!other) {
        sums.onlySecond += 1;
        return;
      }
      sums.both += 1;
      size -= 1;
      const { outcome, contents } = outcomeOf(record);
      if (outcome === other.outcome && contents === other.contents) return;
      sums.changed += 1;
      const what = outcome === other.outcome ? `${outcome}, other contents` : `${other.outcome} → ${outcome}`;
      if (kinds.has(what) || kinds.size < MAX_KINDS) kinds.set(what, (kinds.get(what) ?? 0) + 1);
      if (examples.length < MAX_EXAMPLES) examples.push({ first: other.ref, second: ref, what });
    },
    endPair(): void {
      sums.onlyFirst += size;
      held = new Map();
      size = 0;
    },
    result: (): ChangedCalls => ({ ...sums, kinds: [...kinds].sort((a, b) => b[1] - a[1]), examples }),
  };
}

/** How a call came out, apart from the files' contents, and those. */
function outcomeOf(record: JournalRecord): { readonly outcome: string; readonly contents: string } {
  const vias = [...new Set(record.files.flatMap(({ matched_via: via }) => via ?? []))].sort();
  const outcome = record.ok ? ['ok', ...vias].join(' ') : (record.code ?? 'failed');
  return { outcome, contents: record.files.map(({ path, op, after }) => `${op} ${path} ${after}`).join('\n') };
}
