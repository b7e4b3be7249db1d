import type { JournalRecord } from '../../broker/journal-record.ts';
import { shortName } from './short-name.ts';

/** A call as a report keeps it: where it stands, and how its texts are found again. */
export interface CallRef {
  /** `CELL:LINE`, unlike any other of the report. */
  readonly key: string;
  /** The journal's name in the report. */
  readonly cell: string;
  /** The journal's number in its set. */
  readonly journal: number;
  /** 1-based. */
  readonly line: number;
  readonly receipt: string;
  readonly tool: string;
  readonly time: string;
  readonly ms: number;
  /** `ok` or the code. */
  readonly outcome: string;
  readonly paths: readonly string[];
  readonly args: string;
  readonly result: string;
}

const MAX_PATHS = 5;

/** Where a call stands in the journals, and what a list shows of it. */
export function callRefOf(
  record: JournalRecord,
  place: { readonly cell: string; readonly journal: number; readonly line: number },
): CallRef {
  return {
    ...place,
    key: `${place.cell}:${place.line}`,
    receipt: shortName(record.receipt, 40),
    tool: shortName(record.tool, 40),
    time: shortName(record.time, 40),
    ms: record.ms,
    outcome: record.ok ? 'ok' : shortName(record.code ?? 'failed', 40),
    paths: pathsOf(record).slice(0, MAX_PATHS),
    args: record.args,
    result: record.result,
  };
}

/** The files that a call changed, else those that it looked at. */
export function pathsOf(record: JournalRecord): readonly string[] {
  const files = record.files.length > 0 ? record.files : record.looked;
  return files.map(({ path }) => shortName(path, 300));
}

/** How many calls there are behind a figure, and the first of them. */
export interface CallList {
  readonly count: number;
  readonly calls: readonly CallRef[];
}

const MAX_LISTED = 12;
/** So that a list of many journals does not show the first one alone. */
const MAX_OF_A_CELL = 4;

/** Counts calls and lists the first of them, so that each cell has its share. */
export class CallCollector implements CallList {
  #count = 0;
  readonly #calls: CallRef[] = [];
  /** Of cells that have their share already. */
  readonly #spare: CallRef[] = [];

  add(call: CallRef): void {
    this.#count += 1;
    if (this.#calls.length >= MAX_LISTED) return;
    if (this.#calls.filter(({ cell }) => cell === call.cell).length < MAX_OF_A_CELL) this.#calls.push(call);
    else if (this.#spare.length < MAX_LISTED) this.#spare.push(call);
  }

  get count(): number {
    return this.#count;
  }

  get calls(): readonly CallRef[] {
    return [...this.#calls, ...this.#spare].slice(0, MAX_LISTED);
  }

  toJSON(): CallList {
    return { count: this.count, calls: this.calls };
  }
}
