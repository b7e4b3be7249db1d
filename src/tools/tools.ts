import { applyPatchTool } from './apply-patch.ts';
import { bashTool } from './bash.ts';
import { diagnosticsTool } from './diagnostics.ts';
import { editTool } from './edit.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { multiEditTool } from './multi-edit.ts';
import { lspRefactorTool, lspTool } from './navigation/lsp.ts';
import { readTool } from './read.ts';
import type { Tool } from './tool.ts';
import { undoTool } from './undo.ts';
import { writeTool } from './write.ts';

/** What every host offers, in the order in which models see it. Adding a tool is one file and one line here. */
export const defaultTools: readonly Tool[] = [
  readTool,
  editTool,
  multiEditTool,
  writeTool,
  globTool,
  grepTool,
  bashTool,
  diagnosticsTool,
];

/** What a host offers where it is asked for by name. */
export const optionalTools: readonly Tool[] = [applyPatchTool, undoTool];

/** Experimental: offered to no one who does not ask for it. */
export const experimentalLspTools: Readonly<Record<'read' | 'refactor', Tool>> = {
  read: lspTool,
  refactor: lspRefactorTool,
};
