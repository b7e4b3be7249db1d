import { Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Session } from '../broker/session.ts';
import { callTool } from '../tools/call-tool.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import { version } from './version.ts';

const INSTRUCTIONS =
  'Files are changed through Edit and Write; each answer says what landed and what language servers say of it. ' +
  'A refused edit changed nothing and says how to mend it.';

/**
 * The tools as an MCP server, text only: hosts show a model the structured part alone when there is one. The receipt
 * goes in `_meta["emend/receipt"]`. Arguments are read by our own schemas, which understand other families' names, so
 * the SDK's low-level server is used.
 */
export function createMcpServer(tools: readonly Tool[], session: Session): Server {
  const server = new Server({ name: 'emend', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(listed) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { signal } = context.mcpReq;
    return content(await callTool(tools, { name: params.name, args: params.arguments ?? {} }, { session, signal }));
  });
  return server;
}

function listed(tool: Tool) {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    annotations: { ...tool.hints },
  };
}

const jsonSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.record(z.string(), z.json())),
  required: z.array(z.string()).optional(),
});

/** Without what a client has no use for, since each token is paid for. */
function inputSchemaOf(tool: Tool) {
  const { properties, required } = jsonSchema.parse(z.toJSONSchema(tool.args, { io: 'input' }));
  return { type: 'object' as const, properties, ...(required && { required }), additionalProperties: false };
}

function content(result: ToolResult) {
  return {
    content: [
      { type: 'text' as const, text: result.text },
      ...(result.images ?? []).map(({ mimeType, base64 }) => ({ type: 'image' as const, mimeType, data: base64 })),
    ],
    ...(result.ok ? {} : { isError: true }),
    _meta: { 'emend/receipt': { ...result.receipt } },
  };
}
