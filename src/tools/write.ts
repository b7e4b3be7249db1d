import { z } from 'zod';
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
        path: args.file_path,
        receipt: change.receipt,
        plan(before, shown) {
          if (!before) return { status: 'planned', edits: [{ start: 0, end: 0, newText: args.content }] };
          const edits = planWrite(before.text, likeTheOld(args.content, before.text));
          if (edits.length === 0) return refuse('identical', `${shown} already has this content. Nothing to do.`);
          return { status: 'planned', edits };
        },
      },
      call.signal,
    );
    if (landed.status === 'refused') return refusedResult(change, landed);
    return landedResult(change, landed, { as: landed.before ? 'overwrite' : 'edit' });
  },
});
