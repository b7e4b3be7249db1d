import type { ToolResult } from '../../tool.ts';
import type { ChangeOperation } from '../operations.ts';
import type { Asking } from '../read-operations.ts';
import type { ChangeArgs } from './change-args.ts';
import { codeAction, organizeImports } from './code-action.ts';
import { moveFile } from './move-file.ts';
import { rename } from './rename.ts';

/** Runs one operation that changes files, through the broker like any edit. */
export async function runChange(operation: ChangeOperation, args: ChangeArgs, asking: Asking): Promise<ToolResult> {
  switch (operation) {
    case 'rename':
      return rename(args, asking);
    case 'codeAction':
      return codeAction(args, asking);
    case 'organizeImports':
      return organizeImports(args, asking);
    case 'moveFile':
      return moveFile(args, asking);
  }
}
