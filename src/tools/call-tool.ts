import { reflowLines } from '../broker/outcome-words.ts';
import type { Receipt } from '../broker/receipt.ts';
import { type ErrorCode, refusalText } from '../broker/refusal.ts';
import { type Session, saysFirst } from '../broker/session.ts';
import { StoreError } from '../workspace/document-store.ts';
import { journalCall } from './journal-call.ts';
import { runGuarded } from './loop-guard.ts';
import { isNestedTooDeeply } from './nested-too-deeply.ts';
import { repairArguments } from './repair-arguments.ts';
import type { Tool, ToolCall, ToolResult } from './tool.ts';
import { unknownTool } from './unknown-tool.ts';

/**
 * One call from a host: finds the tool, reads the arguments, runs it, and hands over what has come in meanwhile. Never
 * throws for what a caller can send or the world can do; what it throws is a bug.
 */
export async function callTool(
  tools: readonly Tool[],
  request: { readonly name: string; readonly args: unknown },
  call: ToolCall,
): Promise<ToolResult> {
  if (isNestedTooDeeply(request.args)) {
    const message = 'the arguments are nested too deeply. Give an object of the parameters.';
    const result = await failed(call.session, request.name, 'invalid_arguments', message);
    return journalCall(call.session, { name: request.name, args: '(nested too deeply)' }, result);
  }
  return journalCall(call.session, request, await answerCall(tools, request, call));
}

async function answerCall(
  tools: readonly Tool[],
  request: { readonly name: string; readonly args: unknown },
  call: ToolCall,
): Promise<ToolResult> {
  const { session } = call;
  const tool = tools.find(({ name }) => name === request.name);
  if (!tool) {
    return failed(session, request.name, 'invalid_arguments', unknownTool(tools, request.name));
  }
  const repaired = repairArguments(tool.args, request.args);
  if (repaired.status === 'invalid') {
    return failed(session, ownName(tool), 'invalid_arguments', `${tool.name}: ${repaired.message}`);
  }
  const result = await runTool(tool, repaired.args, call);
  const notes = repaired.notes.filter((note) => saysFirst(session, `${tool.name}: ${note}`));
  return withReflow(session, withNotes(result, notes));
}

async function runTool(tool: Tool, args: Record<string, unknown>, call: ToolCall): Promise<ToolResult> {
  try {
    call.signal?.throwIfAborted();
    const asked = { tool: ownName(tool), args: tool.own?.argsOf(args) ?? args };
    return await runGuarded(asked, call, () => tool.run(args, call));
  } catch (error) {
    if (error instanceof StoreError) return failed(call.session, ownName(tool), error.code, error.message);
    if (call.signal?.aborted)
      return failed(call.session, ownName(tool), 'cancelled', `${tool.name} was cancelled by the caller.`);
    throw error;
  }
}

/** Receipts tell of a tool by our name, whatever a dialect calls it. */
function ownName(tool: Tool): string {
  return tool.own?.name ?? tool.name;
}

async function failed(session: Session, tool: string, code: ErrorCode, message: string): Promise<ToolResult> {
  const id = await session.root.nextReceiptId();
  const receipt: Receipt = { id, tool, ok: false, code, ms: 0, files: [] };
  return { ok: false, text: refusalText({ code, message }), receipt };
}

function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  if (notes.length === 0) return result;
  return { ...result, text: `${result.text}\nnote: ${notes.join('; ')}` };
}

/** Late diagnostics ride on the next result of their session, once. */
function withReflow(session: Session, result: ToolResult): ToolResult {
  const due = session.root.diagnostics.takeReflow(session.id);
  if (due.length === 0) return result;
  return {
    ...result,
    text: [result.text, ...due.flatMap(reflowLines)].join('\n'),
    receipt: {
      ...result.receipt,
      reflow: due.map(({ receipt, report }) => ({ receipt, introduced: report.introduced, fixed: report.fixed })),
    },
  };
}
