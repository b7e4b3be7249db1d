import * as z from 'zod';
import type { Tool } from '../tools/tool.ts';
import type { ToolListing } from './tool-host.ts';

const jsonSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.record(z.string(), z.json())),
  required: z.array(z.string()).optional(),
});

/** How clients are told of tools: without what they have no use for, since each token is paid for. */
export function listTools(tools: readonly Tool[]): readonly ToolListing[] {
  return tools.map(({ name, description, args, hints }) => {
    const { properties, required } = jsonSchema.parse(z.toJSONSchema(args, { io: 'input' }));
    const inputSchema = {
      type: 'object' as const,
      properties: withoutNoise(properties) as Record<string, object>,
      ...(required && { required }),
      additionalProperties: false as const,
    };
    return { name, description, inputSchema, annotations: { ...hints } };
  });
}

/** Zod writes the bounds of a safe integer to every integer; they tell a model nothing. */
function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== Number.MAX_SAFE_INTEGER && member !== Number.MIN_SAFE_INTEGER)
      .map(([key, member]) => [key, withoutNoise(member)]),
  );
}
