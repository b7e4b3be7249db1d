import * as z from 'zod';
import type { ToolNames } from './dialects.ts';
import type { Tool } from './tool.ts';

/** The same tool under other names: its schema and what it says of itself are renamed, its arguments renamed back. */
export function renamedTool(tool: Tool, names: ToolNames, words: ReadonlyMap<string, string>): Tool {
  const given = new Map(Object.entries(names.parameters));
  const back = new Map([...given].map(([ours, theirs]) => [theirs, ours]));
  const inWords = (text: string): string =>
    text.replace(/[A-Za-z_]+/g, (word) => given.get(word) ?? words.get(word) ?? word);
  const argsOf = (args: Readonly<Record<string, unknown>>) => renamedKeys(args, back) as Record<string, unknown>;
  return {
    ...tool,
    own: { name: tool.name, argsOf },
    name: names.name,
    description: inWords(tool.description),
    args: renamedSchema(tool.args, given),
    run: (args, call) => tool.run(argsOf(args), call),
  };
}

function renamedSchema(schema: z.ZodObject, names: ReadonlyMap<string, string>): z.ZodObject {
  const fields = Object.entries(schema.shape).map(([key, field]) => [
    names.get(key) ?? key,
    renamedField(field, names),
  ]);
  return z.strictObject(Object.fromEntries(fields));
}

/** The objects in a list have parameters of their own. Any other field stays as it is, with what it says of itself. */
function renamedField(field: unknown, names: ReadonlyMap<string, string>): unknown {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (!(inner instanceof z.ZodArray) || !(inner.element instanceof z.ZodObject)) return field;
  const list = z.array(renamedSchema(inner.element, names));
  const renamed = inner === field ? list : z.optional(list);
  const description = field instanceof z.ZodType ? field.description : undefined;
  return description === undefined ? renamed : renamed.describe(description);
}

function renamedKeys(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamedKeys(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [names.get(key) ?? key, renamedKeys(member, names)]),
  );
}
