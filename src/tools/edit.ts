import * as z from 'zod';
import { plannedNewText, plannedText, textOf } from '../broker/change-request.ts';
import type { EditRequest } from '../broker/edit-plan.ts';
import { landChange } from '../broker/land-change.ts';
import { askedEdit } from '../broker/plan-edits.ts';
import { planSeenEdit, seenText } from '../broker/plan-seen-edit.ts';
import { refuse } from '../broker/refusal.ts';
import { seenContent } from '../broker/session-ledger.ts';
import { beginChange, landedResult, refusedResult } from './change-result.ts';
import { findNamedPath } from './named-path.ts';
import { defineTool } from './tool.ts';

/** Replaces one text in one file by another, or every occurrence of it. */
export const editTool = defineTool({
  name: 'Edit',
  description:
    'Replace old_string by new_string in a file. old_string must fit one place, unless replace_all. ' +
    'Small drift in indentation, blanks, quotes or escapes is forgiven; lines that stay keep the bytes of the file.',
  args: z.strictObject({
    file_path: z.string(),
    old_string: z.string(),
    new_string: z.string(),
    replace_all: z.boolean().optional(),
  }),
  hints: { destructiveHint: true },
  async run(args, call) {
    const change = await beginChange('Edit', call);
    const isCreation = args.old_string === '';
    const place = isCreation ? undefined : await findNamedPath(call, args.file_path);
    if (place?.status === 'refused') return refusedResult(change, place);
    // A link is told by the name that it has.
    const path = place?.note === undefined ? args.file_path : place.path;
    const request: EditRequest = {
      oldString: args.old_string,
      newString: args.new_string,
      replaceAll: args.replace_all ?? false,
    };
    const landed = await landChange(
      call.session,
      {
        paths: [path],
        receipt: change.receipt,
        async plan(files, planEdit) {
          const file = files.at(path);
          if (!file.found && !isCreation) return refuse('not_found', goneWords(file.shown));
          if (!file.found && args.new_string === '') return refuse('identical', bothEmptyWords(file.shown));
          if (!file.found) return plannedNewText(file, args.new_string);
          const text = textOf(file.found);
          if (text.status === 'refused') return text;
          const content = seenContent(file.found.bytes, text.snapshot);
          const seen = seenText(call.session, file, content);
          const plan = await planSeenEdit(seen, { ...request, path: file.shown }, planEdit);
          return plan.status === 'refused' ? plan : plannedText(file, { ...plan, asked: [askedEdit(request, plan)] });
        },
      },
      call.signal,
    );
    if (landed.status === 'refused') return refusedResult(change, landed);
    return landedResult(change, landed, { as: 'edit', ...(place?.note && { note: place.note }) });
  },
});

function goneWords(shown: string): string {
  return `${shown} was there a moment ago, and is gone. See what its folder has, or make it with an empty old_string.`;
}

function bothEmptyWords(shown: string): string {
  return `old_string and new_string are both empty. Send what is to stand in ${shown} as new_string.`;
}
