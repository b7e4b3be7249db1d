import type { Budget } from '../match/budget.ts';
import type { Comparison, Lexed } from '../match/comparison.ts';
import { anchorsOf, sourcesOf } from './anchors.ts';
import { findConflict, goneIn } from './conflicts.ts';
import { intentOf } from './intent.ts';
import { Merger } from './merger.ts';

/** The file's span as it is after the edit, or a conflict: intent and drift touch the same characters. */
export type Merge =
  | {
      readonly status: 'merged';
      readonly text: string;
      readonly kept: readonly number[];
      readonly detail: string | undefined;
    }
  | { readonly status: 'conflict'; readonly offset: number };

/** What writing costs, beside finding out what is meant. */
const STEPS_A_TOKEN = 24;
/** What seeing how the file is indented about a place costs. */
const STEPS_A_MERGE = 500;

/**
 * Merges three ways: base old_string, ours the file's span, theirs new_string. What new_string keeps of old_string are
 * the file's own bytes; what it changes is written in the file's form. `kept` are offsets, in the merged text, of kept
 * words that differ from old_string's. `undefined` where the budget does not suffice.
 */
export function merge(compared: Comparison, now: Lexed, budget: Budget): Merge | undefined {
  const { old, file } = compared;
  if (!budget.spend(STEPS_A_MERGE + STEPS_A_TOKEN * (old.tokens.length + file.length + now.tokens.length)))
    return undefined;
  const origins = intentOf(old, now, budget);
  if (budget.isGone) return undefined;
  const sources = sourcesOf(compared, now, origins);
  const offset = findConflict(compared, { origins, sources, now });
  if (offset !== undefined) return { status: 'conflict', offset };
  const writer = new Merger(compared, now, { origins, sources });
  const anchors = anchorsOf(compared, now, origins, sources);
  for (let k = 1; k < anchors.length; k++) {
    const [left, right] = [anchors[k - 1], anchors[k]];
    if (!left || !right) continue;
    if (!writer.stretch(left, right)) return { status: 'conflict', offset: left.fileEnd };
  }
  const hasKept = writer.output.keptSpans();
  const isGone = goneIn(compared, origins);
  const lost = file.find((token, index) => !hasKept(token) && !isGone(index));
  if (lost) return { status: 'conflict', offset: lost.start };
  return { status: 'merged', detail: writer.form.indentation.detail, ...writer.output.finished() };
}
