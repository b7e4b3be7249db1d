import { z } from 'zod';
import { refuse } from '../../broker/refusal.ts';
import { beginAnswer } from '../answer.ts';
import { defineTool } from '../tool.ts';
import { operationNamed, READ_OPERATIONS } from './operations.ts';
import { runRead } from './read-operations.ts';

const address = {
  filePath: z.string().optional(),
  symbol: z.string().optional(),
  line: z.int().optional(),
  character: z.int().optional(),
  query: z.string().optional(),
};

/** What language servers know of symbols; experimental, offered where a host asks for it. */
export const lspTool = defineTool({
  name: 'LSP',
  description:
    'Ask language servers about code. Name a symbol (name, Class/method, file#name), or filePath with line and character (1-based). ' +
    'documentSymbol needs filePath, workspaceSymbol query.',
  args: z.strictObject({ operation: z.string().meta({ enum: [...READ_OPERATIONS] }), ...address }),
  hints: { readOnlyHint: true },
  async run(args, call) {
    const answer = beginAnswer(call, 'LSP');
    const operation = operationNamed(args.operation, READ_OPERATIONS);
    if (operation === undefined) {
      const message = `operation ${JSON.stringify(args.operation)}. There are ${READ_OPERATIONS.join(', ')}.`;
      return answer.refused(refuse('invalid_arguments', message));
    }
    return runRead(operation, args, { call, answer });
  },
});
