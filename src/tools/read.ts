import * as z from 'zod';
import { refuse } from '../broker/refusal.ts';
import { StoreError } from '../workspace/document-store.ts';
import { TEXT_LIMITS } from '../workspace/truncation.ts';
import { beginAnswer } from './answer.ts';
import { findNamedPath } from './named-path.ts';
import { readFile } from './read-file.ts';
import { readFolder } from './read-folder.ts';
import { defineTool, type LookedAt, type ToolCall, type ToolResult } from './tool.ts';

/** Shows a stretch of a text file with its line numbers, a folder's entries, or an image. */
export const readTool = defineTool({
  name: 'Read',
  description: 'Read a file: numbered lines, an image, or a folder listing.',
  args: z.strictObject({
    file_path: z.string(),
    offset: z.number().optional().describe('first line, 1-based'),
    limit: z.number().optional(),
  }),
  hints: { readOnlyHint: true },
  async run(args, call) {
    const answer = beginAnswer(call, 'Read');
    const { offset = 1, limit = TEXT_LIMITS.lines } = args;
    if (!Number.isInteger(offset) || offset < 0) {
      return answer.refused(
        refuse(
          'invalid_arguments',
          `offset ${offset} is no line: lines are counted from 1. Leave it out for the first.`,
        ),
      );
    }
    if (!Number.isInteger(limit) || limit < 1) {
      return answer.refused(
        refuse('invalid_arguments', `limit ${limit} asks for no line. Leave it out for ${TEXT_LIMITS.lines}.`),
      );
    }
    const place = await findNamedPath(call, args.file_path);
    if (place.status === 'refused') {
      const looked = await absentPath(call, args.file_path, place.code);
      return { ...(await answer.refused(place)), ...(looked && { looked: [looked] }) };
    }
    const { shown } = place;
    const request = {
      first: Math.max(1, offset),
      limit,
      maxBytes: TEXT_LIMITS.bytes,
      maxLineLength: TEXT_LIMITS.lineLength,
    };
    try {
      switch (place.stat.kind) {
        case 'directory':
          return withLooked(await readFolder(call, place, request, answer), { path: shown, why: 'folder' });
        case 'file':
          return await readFile(call, place, request, answer);
        case 'other':
          return withLooked(
            await answer.refused(
              refuse('io', `${shown} is a device, a pipe or a socket: reading it may never end. Nothing was read.`),
            ),
            { path: shown, why: 'device' },
          );
      }
    } catch (error) {
      if (error instanceof StoreError) return answer.refused(refuse(error.code, error.message));
      throw error;
    }
  },
});

function withLooked(result: ToolResult, looked: LookedAt): ToolResult {
  return { ...result, looked: [looked] };
}

/** What is not there, under the name that the journal gives it. */
async function absentPath(call: ToolCall, spelled: string, code: string): Promise<LookedAt | undefined> {
  if (code !== 'not_found') return undefined;
  const place = await call.session.root.confinement.resolve(spelled);
  return place.status === 'inside' && !place.stat ? { path: place.shown, sha256: null } : undefined;
}
