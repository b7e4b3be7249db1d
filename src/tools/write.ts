import { z } from 'zod';
import { plannedNewText, plannedText, textOf } from '../broker/change-request.ts';
import { landChange } from '../broker/land-change.ts';
import { planWrite } from '../broker/plan-write.ts';
import { refuse } from '../broker/refusal.ts';
import { likeTheOld } from '../workspace/line-endings.ts';
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
    const landed = await landChange(
      call.session,
      {
        paths: [args.file_path],
        receipt: change.receipt,
        plan(files) {
          const file = files.at(args.file_path);
          if (!file.found) return plannedNewText(file, args.content);
          const text = textOf(file.found);
          if (text.status === 'refused') return text;
          const before = text.snapshot.text;
          const content = text.snapshot.form.hasBom ? args.content.replace(/^\ufeff/, '') : args.content;
          const edits = planWrite(before, likeTheOld(content, before));
          if (edits.length > 0) return plannedText(file, { edits });
          return refuse('identical', `${file.shown} already has this content. Nothing to do.`);
        },
      },
      call.signal,
    );
    if (landed.status === 'refused') return refusedResult(change, landed);
    return landedResult(change, landed, { as: 'write' });
  },
});
