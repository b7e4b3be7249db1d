import * as z from 'zod';
import { landChange } from '../broker/land-change.ts';
import { parsePatchText } from '../broker/patch/parse-patch.ts';
import type { FilePatch } from '../broker/patch/patch.ts';
import { addedPaths, pathsOf } from '../broker/patch/patch.ts';
import { inPatch } from '../broker/patch/patch-words.ts';
import { type Refusal, refuse } from '../broker/refusal.ts';
import { beginChange, landedResult, refusedResult } from './change-result.ts';
import { orFailed, saysAll } from './failed-part.ts';
import { findNamedPath } from './named-path.ts';
import { defineTool, type ToolCall } from './tool.ts';

/** Files added, updated, moved and deleted by one patch, in the language that GPT models write, or a unified diff. */
export const applyPatchTool = defineTool({
  name: 'apply_patch',
  description:
    'Change files by a patch, all of it or nothing. "*** Begin Patch", then for each file "*** Add File: PATH" with + lines, ' +
    '"*** Delete File: PATH", or "*** Update File: PATH" (then "*** Move to: PATH" to rename) with hunks: "@@ LINE" names the ' +
    'class or function it is in, then lines that stay (blank before them), go (-) and come (+), 3 around a change; ' +
    '"*** End of File" after the last; "*** End Patch". Unified diffs are understood too.',
  args: z.strictObject({ input: z.string() }),
  hints: { destructiveHint: true },
  async run(args, call) {
    const change = await beginChange('apply_patch', call);
    const parsed = parsePatchText(args.input);
    if (parsed.status === 'wrong')
      return refusedResult(change, refuse('invalid_arguments', `the patch: ${parsed.message}`));
    const named = await namePaths(parsed.files, call);
    if (named.status === 'refused') return refusedResult(change, inPatch(named, parsed.files.length));
    // With the first patch, since most runs make none.
    const { planPatch } = await import('../broker/patch/plan-patch.ts');
    const paths = pathsOf(named.files);
    const landed = await orFailed(call, paths, () =>
      landChange(
        call.session,
        {
          paths,
          made: addedPaths(named.files),
          receipt: change.receipt,
          plan: (files, planEdit) => planPatch({ session: call.session, planEdit }, files, named.files),
        },
        call.signal,
      ),
    );
    if (landed.status === 'refused') {
      const told = saysAll(landed) ? landed : inPatch(landed, parsed.files.length);
      return refusedResult(change, { ...told, opened: landed.opened });
    }
    return landedResult(change, landed, { as: 'edit', ...(named.note !== undefined && { note: named.note }) });
  },
});

interface NamedPatch {
  readonly status: 'named';
  readonly files: readonly FilePatch[];
  readonly note: string | undefined;
}

/** Files that the patch takes to be there, under the names that they have. One that it makes first is not looked for. */
async function namePaths(files: readonly FilePatch[], call: ToolCall): Promise<NamedPatch | Refusal> {
  const made = new Set<string>();
  const notes: string[] = [];
  const named: FilePatch[] = [];
  for (const file of files) {
    const place = file.op === 'add' || made.has(file.path) ? undefined : await findNamedPath(call, file.path);
    if (place?.status === 'refused') return place;
    if (place?.note !== undefined) notes.push(place.note);
    // A link is refused by the name that it has.
    const isAlias = place?.note !== undefined;
    named.push(isAlias ? { ...file, path: place?.path ?? file.path } : file);
    if (file.op === 'add') made.add(file.path);
    if (file.op === 'update' && file.moveTo !== undefined) made.add(file.moveTo);
  }
  return { status: 'named', files: named, note: notes.length > 0 ? notes.join('\n') : undefined };
}
