import * as z from 'zod';
import { landChange } from '../broker/land-change.ts';
import { type FileEdit, planMultiEdit } from '../broker/plan-multi-edit.ts';
import { type Refusal, refuse } from '../broker/refusal.ts';
import { inEdit } from '../broker/refusal-words.ts';
import { beginChange, landedResult, refusedResult } from './change-result.ts';
import { failedPart, orFailed, saysAll } from './failed-part.ts';
import { findNamedPath } from './named-path.ts';
import { defineTool, type ToolCall } from './tool.ts';

/** Several edits of one file or of several, as one change. */
export const multiEditTool = defineTool({
  name: 'MultiEdit',
  description:
    'Make several edits at once, in order, each on the result of the one before: all or none, across files. ' +
    'file_path stands outside, or in each edit. dry_run shows the diff and diagnostics without writing.',
  args: z.strictObject({
    file_path: z.string().optional(),
    edits: z
      .array(
        z.strictObject({
          file_path: z.string().optional(),
          old_string: z.string(),
          new_string: z.string(),
          replace_all: z.boolean().optional(),
        }),
      )
      .min(1),
    dry_run: z.boolean().optional(),
  }),
  hints: { destructiveHint: true },
  async run(args, call) {
    const change = await beginChange('MultiEdit', call);
    const edits: FileEdit[] = [];
    const notes = new Set<string>();
    const made = new Set<string>();
    for (const [at, edit] of args.edits.entries()) {
      const spelled = edit.file_path ?? args.file_path;
      const of = args.edits.length;
      if (spelled === undefined) {
        const message = `edit ${at + 1} of ${of} names no file. Put file_path in it, or beside edits for all of them.`;
        return refusedResult(change, refuse('invalid_arguments', message));
      }
      if (edit.old_string === '') made.add(spelled);
      const place = made.has(spelled) ? undefined : await findNamedPath(call, spelled);
      if (place?.status === 'refused') return refusedResult(change, inEdit(place, { at, of, shown: spelled }));
      if (place?.note !== undefined) notes.add(place.note);
      edits.push({
        path: place?.note === undefined ? spelled : place.path,
        oldString: edit.old_string,
        newString: edit.new_string,
        replaceAll: edit.replace_all ?? false,
      });
    }
    const paths = edits.map(({ path }) => path);
    const landed = await orFailed(call, paths, () =>
      landChange(
        call.session,
        {
          paths,
          receipt: change.receipt,
          mode: args.dry_run ? 'plan' : 'write',
          plan: (files, planEdit) => planMultiEdit({ session: call.session, planEdit }, files, edits),
        },
        call.signal,
      ),
    );
    if (landed.status === 'refused') {
      const told = edits.length === 1 || saysAll(landed) ? landed : await inItsEdit(call, paths, landed);
      return refusedResult(change, { ...told, opened: landed.opened });
    }
    const note = [...notes].join('\n');
    return landedResult(change, landed, { as: args.dry_run ? 'dry run' : 'edit', ...(note !== '' && { note }) });
  },
});

/** What a plan can't know (a file that may not be written, or that changed at once) is told of its edit too. */
async function inItsEdit(call: ToolCall, paths: readonly string[], refusal: Refusal): Promise<Refusal> {
  const { at, shown } = await failedPart(call, paths, refusal);
  if (at === undefined) return refuse(refusal.code, `No file was changed. ${refusal.message}`);
  return inEdit(refusal, { at, of: paths.length, shown });
}
