import { applySpanEdits } from '../workspace/span.ts';
import type { MatchedVia } from './matched-via.ts';
import { type EditHunk, planEdit } from './plan-edit.ts';
import { type ErrorCode, refusalText } from './refusal.ts';

/** How `replace` looks for its places. */
export interface ReplaceOptions {
  /** Every place that the deciding strategy finds; otherwise more than one is refused as `ambiguous`. */
  readonly replaceAll?: boolean;
  /** Names the file in messages and tells its language; nothing is read from disk. */
  readonly path?: string;
}

/** The new text, or why there is none. */
export type ReplaceResult =
  | {
      readonly status: 'applied';
      readonly text: string;
      readonly matchedVia: MatchedVia;
      /** 1-based first line and number of lines, before and after. */
      readonly hunks: readonly EditHunk[];
    }
  | {
      readonly status: 'refused';
      readonly code: ErrorCode;
      /** What a model would read: `Error no_match: …`. */
      readonly message: string;
    };

/**
 * Replaces old_string by new_string where it is meant, or says why not. The text may begin with a byte order mark and
 * have any line ends; both stay. Nothing outside the hunks changes.
 */
export function replace(
  text: string,
  oldString: string,
  newString: string,
  options: ReplaceOptions = {},
): ReplaceResult {
  const { replaceAll = false, path } = options;
  const plan = planEdit(text, { oldString, newString, replaceAll, ...(path === undefined ? {} : { path }) });
  if (plan.status === 'refused') return { status: 'refused', code: plan.code, message: refusalText(plan) };
  const { matchedVia, hunks } = plan;
  return { status: 'applied', text: applySpanEdits(text, plan.edits), matchedVia, hunks };
}
