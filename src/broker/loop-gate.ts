import { distance } from 'fastest-levenshtein';
import { LOOP_GATE_OPTIONS, type LoopGateOptions } from './loop-gate-options.ts';

/** A call, as far as repeating it matters. */
export interface GatedCall {
  /** `edit`: changes or reads files as it was told. `command`: Bash. `search`: Grep, Glob. */
  readonly kind: 'edit' | 'command' | 'search';
  readonly tool: string;
  /** After repair, so that two spellings of one call are one. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The file that it is about, where it is about one. */
  readonly path: string | undefined;
  /** A hash of what that file holds now. */
  readonly state: string | undefined;
}

/** How a call came out, as far as the gate needs it to tell a repetition from a step forward. */
export interface GatedOutcome {
  /** It did not do what was asked: refused, ended with another status than 0, nothing found. */
  readonly isFailure: boolean;
  /** Something was changed by it. */
  readonly hasChanged: boolean;
  /** Whether it changed anything is not known: other calls may come out otherwise now, this one just did not. */
  readonly mayHaveChanged?: boolean;
  /** What the model read. */
  readonly text: string;
}

/** Whether to run a call. `block`: it failed `times` times with `text`, and nothing has changed since. */
type GateVerdict = { readonly kind: 'run' } | { readonly kind: 'block'; readonly times: number; readonly text: string };

/** What to add to an answer. `repeated` comes once, `near` with each further failure. */
export type GateNote =
  | { readonly kind: 'none' }
  | { readonly kind: 'repeated'; readonly times: number }
  | { readonly kind: 'near'; readonly times: number };

/**
 * Notices a caller that goes round in circles. It never ends a run and never claims that anything succeeded: a failing
 * edit is answered with what the file holds, a failing command or search is run and noted. Any change sets it back.
 */
export interface LoopGate {
  /** Whether this call has failed before: only then its file has to be looked at before it is run. */
  remembers(call: Pick<GatedCall, 'tool' | 'args'>): boolean;
  before(call: GatedCall): GateVerdict;
  after(call: GatedCall, outcome: GatedOutcome): GateNote;
}

interface Memory {
  times: number;
  readonly outcome: string;
  readonly state: string | undefined;
  readonly text: string;
}

/** Calls that are remembered; the oldest is forgotten. */
const MAX_CALLS = 500;
/** Texts that differ in at most this share of their characters are near. */
const NEAR_SHARE = 0.25;
const MAX_COMPARED = 2000;

/** The memory of one session's calls. It holds calls back or adds a note to them, and never ends a run. */
export function createLoopGate(options: LoopGateOptions = LOOP_GATE_OPTIONS): LoopGate {
  const calls = new Map<string, Memory>();
  const near = new Map<string, { times: number; state: string | undefined; subject: string }>();
  const isHeldBack = (call: GatedCall): boolean =>
    call.kind === 'edit' || (call.kind === 'command' && options.strictness === 'edits_and_commands');

  return {
    remembers: (call) => calls.has(keyOf(call)),

    before(call) {
      const memory = calls.get(keyOf(call));
      if (!memory || !isHeldBack(call) || memory.times < options.failures || memory.state !== call.state) {
        return { kind: 'run' };
      }
      return { kind: 'block', times: memory.times, text: memory.text };
    },

    after(call, outcome) {
      const key = keyOf(call);
      if (outcome.hasChanged || outcome.mayHaveChanged) {
        const own = outcome.hasChanged ? undefined : calls.get(key);
        calls.clear();
        near.clear();
        if (own) calls.set(key, own);
      }
      if (!outcome.isFailure) {
        calls.delete(key);
        return { kind: 'none' };
      }
      const times = remember(calls, key, call, outcome);
      if (call.kind === 'edit') return nearNote(near, call, options.nearFailures);
      return times === options.notes ? { kind: 'repeated', times } : { kind: 'none' };
    },
  };
}

function remember(calls: Map<string, Memory>, key: string, call: GatedCall, { text }: GatedOutcome): number {
  const before = calls.get(key);
  const outcome = outcomeOf(text);
  const isSame = before !== undefined && before.outcome === outcome && before.state === call.state;
  const times = isSame ? before.times + 1 : 1;
  calls.delete(key);
  calls.set(key, { times, outcome, state: call.state, text });
  const [oldest] = calls.keys();
  if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest);
  return times;
}

function nearNote(
  near: Map<string, { times: number; state: string | undefined; subject: string }>,
  call: GatedCall,
  enough: number,
): GateNote {
  if (call.path === undefined) return { kind: 'none' };
  const subject = subjectOf(call.args);
  const last = near.get(call.path);
  const isNear = last !== undefined && last.state === call.state && isAlike(last.subject, subject);
  const times = isNear ? last.times + 1 : 1;
  near.set(call.path, { times, state: call.state, subject });
  return times >= enough ? { kind: 'near', times } : { kind: 'none' };
}

/** One call is one text, whatever the order of its parameters. */
function keyOf({ tool, args }: Pick<GatedCall, 'tool' | 'args'>): string {
  return `${tool} ${JSON.stringify(sorted(args))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, sorted(part)]));
}

/** A result without what differs from run to run: durations, receipts, process numbers, file names, hurried looks. */
function outcomeOf(text: string): string {
  return text
    .replace(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, 'T')
    .replace(/\[e\d+\]/g, '[e]')
    .replace(/\b\d{3,7} \(/g, 'P (')
    .replace(/(?<!\S)\/\S*-e\d+\.txt/g, 'F')
    .replace(/\n?changed: not known(?: \| )?/g, '');
}

/** What an edit was to find, without its blanks. */
function subjectOf(args: Readonly<Record<string, unknown>>): string {
  const { old_string: oldString, input, edits } = args;
  const text =
    typeof oldString === 'string' ? oldString : typeof input === 'string' ? input : JSON.stringify(edits ?? '');
  return text.replace(/\s+/g, '').slice(0, MAX_COMPARED);
}

function isAlike(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length);
  return a === b || distance(a, b) <= longer * NEAR_SHARE;
}
