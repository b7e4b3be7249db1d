import * as z from 'zod';
import { type Refusal, refuse } from '../../broker/refusal.ts';
import { beginAnswer } from '../answer.ts';
import { defineTool } from '../tool.ts';
import { CHANGE_OPERATIONS, operationNamed, READ_OPERATIONS } from './operations.ts';

const DESCRIPTION =
  'Ask language servers about code. Name a symbol (name, Class/method, file#name), or filePath with line and character (1-based). ' +
  'documentSymbol needs filePath, workspaceSymbol query.';

const address = {
  filePath: z.string().optional(),
  symbol: z.string().optional(),
  line: z.int().optional(),
  character: z.int().optional(),
  query: z.string().optional(),
};

// The code of its operations is loaded with the first call, and once: most runs make none.
const reading = once(() => import('./read-operations.ts'));
const changing = once(() => import('./refactor/change-operations.ts'));

/** What language servers know of symbols; experimental, offered where a host asks for it. */
export const lspTool = defineTool({
  name: 'LSP',
  description: DESCRIPTION,
  args: z.strictObject({ operation: z.string().meta({ enum: [...READ_OPERATIONS] }), ...address }),
  hints: { readOnlyHint: true },
  async run(args, call) {
    const answer = beginAnswer(call, 'LSP');
    const operation = operationNamed(args.operation, READ_OPERATIONS);
    if (operation === undefined) return answer.refused(unknownOperation(args.operation, READ_OPERATIONS));
    const { runRead } = await reading();
    return runRead(operation, args, { call, answer });
  },
});

/** The same, and what changes files; offered where a host allows refactorings. */
export const lspRefactorTool = defineTool({
  name: 'LSP',
  description: `${DESCRIPTION} rename takes newName, moveFile filePath and the new path as newName; codeAction lists, with action: N applies one.`,
  args: z.strictObject({
    operation: z.string().meta({ enum: [...READ_OPERATIONS, ...CHANGE_OPERATIONS] }),
    ...address,
    newName: z.string().optional(),
    action: z.int().min(1).optional(),
    dry_run: z.boolean().optional(),
  }),
  hints: { destructiveHint: true },
  async run(args, call) {
    const answer = beginAnswer(call, 'LSP');
    const change = operationNamed(args.operation, CHANGE_OPERATIONS);
    if (change !== undefined) {
      const { runChange } = await changing();
      return runChange(change, args, { call, answer });
    }
    const read = operationNamed(args.operation, READ_OPERATIONS);
    if (read !== undefined) {
      const { runRead } = await reading();
      return runRead(read, args, { call, answer });
    }
    return answer.refused(unknownOperation(args.operation, [...READ_OPERATIONS, ...CHANGE_OPERATIONS]));
  },
});

function unknownOperation(operation: string, known: readonly string[]): Refusal {
  return refuse('invalid_arguments', `operation ${JSON.stringify(operation)}. There are ${known.join(', ')}.`);
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
