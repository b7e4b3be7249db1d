import { type ReplaceResult, replace } from '../../../src/broker/replace.ts';
import type { EditCase } from './edit-case.ts';

/** `refused`: an edit not made. `damaged`: a wrong edit made, or one where none was right. */
export type Verdict = 'right' | 'refused' | 'damaged';

export interface Scored {
  readonly case: EditCase;
  readonly verdict: Verdict;
  readonly result: ReplaceResult;
  readonly ms: number;
}

export function scoreCase(each: EditCase): Scored {
  const start = performance.now();
  const result = replace(each.before, each.old_string, each.new_string, {
    replaceAll: each.replace_all ?? false,
    path: each.path,
  });
  const ms = performance.now() - start;
  return { case: each, verdict: verdictOf(each, result), result, ms };
}

function verdictOf(each: EditCase, result: ReplaceResult): Verdict {
  if (each.expect === 'reject') return result.status === 'applied' ? 'damaged' : 'right';
  if (result.status === 'refused') return 'refused';
  return result.text === each.after ? 'right' : 'damaged';
}
