import * as z from 'zod';
import { plannedNewText, textOf } from '../broker/change-request.ts';
import { landChange } from '../broker/land-change.ts';
import { planWholeText, rememberWhole } from '../broker/plan-whole-text.ts';
import { shownNumbers } from '../broker/refusal-words.ts';
import { keptEndingsNote, unseenWriteNote } from '../broker/seen-words.ts';
import { hasShownNumbers } from '../broker/shown-numbers.ts';
import { beginChange, landedResult, refusedResult } from './change-result.ts';
import { defineTool } from './tool.ts';

/** Makes a file, or puts other content in its place; what does not differ is not rewritten. */
export const writeTool = defineTool({
  name: 'Write',
  description: 'Create a file or replace its whole content. To change a part of a file use Edit.',
  args: z.strictObject({ file_path: z.string(), content: z.string() }),
  hints: { idempotentHint: true },
  async run(args, call) {
    const change = await beginChange('Write', call);
    let isUnseen = false;
    let keptEndings: 'crlf' | 'cr' | undefined;
    const landed = await landChange(
      call.session,
      {
        paths: [args.file_path],
        receipt: change.receipt,
        plan(files) {
          const file = files.at(args.file_path);
          const before = file.found && textOf(file.found);
          const isNumberedAlready = before?.status === 'text' && hasShownNumbers(before.snapshot.text);
          if (hasShownNumbers(args.content) && !isNumberedAlready) return shownNumbers();
          if (!file.found) return plannedNewText(file, args.content);
          const text = textOf(file.found);
          if (text.status === 'refused') return text;
          const { content } = args;
          const { snapshot } = text;
          const whole = { file: { ...file, found: file.found }, snapshot, content };
          const plan = planWholeText(call.session, whole);
          isUnseen = plan.status === 'planned' && plan.isUnseen;
          keptEndings = plan.status === 'planned' ? plan.keptEndings : undefined;
          return plan;
        },
      },
      call.signal,
    );
    if (landed.status === 'refused') return refusedResult(change, landed);
    rememberWhole(call.session, landed.files);
    const notes = [
      ...(keptEndings ? [keptEndingsNote(keptEndings)] : []),
      ...(isUnseen && landed.undo.isKept ? [unseenWriteNote(change.receipt)] : []),
    ];
    return landedResult(change, landed, { as: 'write', ...(notes.length > 0 && { note: notes.join('\n') }) });
  },
});
