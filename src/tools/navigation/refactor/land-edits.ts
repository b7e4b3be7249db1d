import type { FilesBefore, PlannedChange } from '../../../broker/change-request.ts';
import { landChange } from '../../../broker/land-change.ts';
import { type Refusal, refuse } from '../../../broker/refusal.ts';
import { beginChange, landedResult, refusedResult } from '../../change-result.ts';
import { orFailed } from '../../failed-part.ts';
import type { ToolCall, ToolResult } from '../../tool.ts';
import { type EditedFile, planEditedFiles } from './edited-files.ts';

/** A change that a server worked out. */
interface ServerChange {
  readonly files: readonly EditedFile[];
  /** What it was, in words. */
  readonly note: string;
  /** Further paths that `plan` speaks of. */
  readonly paths?: readonly string[];
  /** How the files are changed; by their edits alone where absent. */
  plan?(files: FilesBefore): PlannedChange | Refusal;
}

/** Makes a server's change as one transaction, with one receipt. */
export async function landEdits(call: ToolCall, change: ServerChange, mode: 'write' | 'plan'): Promise<ToolResult> {
  const begun = await beginChange('LSP', call);
  const paths = [...change.files.map(({ path }) => path), ...(change.paths ?? [])];
  if (paths.length === 0)
    return refusedResult(begun, refuse('identical', `${change.note}: the server changes nothing.`));
  const request = {
    paths,
    receipt: begun.receipt,
    mode,
    plan: (files: FilesBefore) => change.plan?.(files) ?? planEditedFiles(files, change.files),
  };
  const landed = await orFailed(call, paths, () => landChange(call.session, request, call.signal));
  if (landed.status === 'refused') return refusedResult(begun, landed);
  return landedResult(begun, landed, { as: mode === 'plan' ? 'dry run' : 'edit', note: `note: ${change.note}` });
}
