import { Server, type ServerContext } from '@modelcontextprotocol/server';
import { type ErrorCode, refusalText } from '../broker/refusal.ts';
import type { SessionOptions } from '../broker/session.ts';
import { isNestedTooDeeply } from '../tools/nested-too-deeply.ts';
import { StoreError } from '../workspace/document-store.ts';
import type { CurrentHost } from './current-host.ts';
import { cutAnswer } from './cut-answer.ts';
import { cutReceipt } from './cut-receipt.ts';
import { beatProgress } from './mcp-progress.ts';
import { RECEIPT_SCHEMA } from './receipt-schema.ts';
import type { CallResult, HostCall, ToolHost } from './tool-host.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

const INSTRUCTIONS =
  'Files are changed through Edit and Write; each answer says what landed and what language servers say of it. ' +
  'A refused edit changed nothing and says how to mend it.';

/** What a client without progress waits for an answer: most give up at 60 s. */
const PATIENCE_MS = 50_000;

/** UTF-16 units of a receipt, which a message holds twice with `--structured`: clients take messages of 10 MB. */
export const MAX_RECEIPT = 1_000_000;

interface McpServerOptions {
  /** The tools, once it is known where; another one after a change of the client's roots. */
  readonly host: Pick<CurrentHost<McpHost>, 'use'>;
}

interface McpHost {
  readonly host: ToolHost;
  readonly answers: McpAnswers;
}

/** How results are put into answers. */
export interface McpAnswers {
  /** For programs: results also as structured content, under an output schema. */
  readonly isStructured?: boolean;
  /** UTF-16 units of a text result; more is cut by us, with how to get the rest. */
  readonly maxText: number;
  /** Milliseconds within which a call without progress is answered. */
  readonly answerWithinMs?: number;
  readonly sessionOptions: Partial<SessionOptions>;
}

/**
 * The tools as an MCP server, text only: hosts show a model the structured part alone when there is one. The receipt
 * goes in `_meta["emend/receipt"]`. Arguments are read by our own schemas, which understand other families' names, so
 * the SDK's low-level server is used.
 */
export function createMcpServer(options: McpServerOptions): Server {
  const server = new Server({ name: 'emend', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler('tools/list', async () => {
    const { tools, answers } = await options.host.use(async ({ host, answers }) => ({ tools: host.tools, answers }));
    return {
      tools: tools.map(({ annotations, inputSchema, ...tool }) => ({
        ...tool,
        inputSchema: { ...inputSchema, ...(inputSchema.required && { required: [...inputSchema.required] }) } as {
          type: 'object';
        },
        ...(answers.isStructured && { outputSchema: RECEIPT_SCHEMA }),
        annotations: { ...annotations },
      })),
    };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    return callThrough(options, { name: params.name, args: params.arguments ?? {}, context });
  });
  return server;
}

async function callThrough(
  options: McpServerOptions,
  request: { readonly name: string; readonly args: unknown; readonly context: ServerContext },
): Promise<ReturnType<typeof content>> {
  if (isNestedTooDeeply(request.args)) {
    const message = 'the arguments are nested too deeply. Give an object of the parameters.';
    return failed(request.name, 'invalid_arguments', message);
  }
  const { mcpReq } = request.context;
  const progress = beatProgress(mcpReq);
  try {
    return await options.host.use(async ({ host, answers }) => {
      const answerWithinMs = answers.answerWithinMs ?? (progress ? undefined : PATIENCE_MS);
      const call: HostCall = {
        signal: mcpReq.signal,
        options: answers.sessionOptions,
        ...(progress && { onProgress: progress.tell }),
        ...(answerWithinMs !== undefined && { answerWithinMs }),
      };
      return content(await host.call(request.name, request.args, call), answers);
    });
  } catch (error) {
    // A root that is gone, a resident that can't be had: the model has to hear of it, not only the log.
    if (error instanceof StoreError) return failed(request.name, error.code, error.message);
    if (error instanceof UsageError) return failed(request.name, 'unavailable', error.message);
    throw error;
  } finally {
    progress?.end();
  }
}

function failed(tool: string, code: ErrorCode, message: string): ReturnType<typeof content> {
  const receipt: CallResult['receipt'] = { id: '', tool, ok: false, code, ms: 0, files: [] };
  const text = refusalText({ code, message });
  return content({ ok: false, text, receipt }, { maxText: text.length, sessionOptions: {} });
}

function content(result: CallResult, answers: McpAnswers) {
  const receipt = { ...cutReceipt(result.receipt, MAX_RECEIPT) };
  return {
    content: [
      { type: 'text' as const, text: cutAnswer(result.text, answers.maxText) },
      ...(result.images ?? []).map(({ mimeType, base64 }) => ({ type: 'image' as const, mimeType, data: base64 })),
    ],
    // Clients check an error against the output schema too, and then show that instead of the cause.
    ...(answers.isStructured && result.ok && { structuredContent: receipt }),
    ...(result.ok ? {} : { isError: true }),
    _meta: { 'emend/receipt': receipt },
  };
}
