import type { Tool } from './tool.ts';
import { defaultTools, optionalTools } from './tools.ts';

/** Which tools a caller is offered. */
export interface ToolChoice {
  /** By name, in this order. */
  readonly tools?: readonly string[];
}

export type SelectedTools =
  | { readonly status: 'selected'; readonly tools: readonly Tool[] }
  | { readonly status: 'unknown'; readonly message: string };

/** The tools for a choice; the default ones where it says nothing. */
export function selectTools(choice: ToolChoice): SelectedTools {
  if (!choice.tools) return { status: 'selected', tools: defaultTools };
  const offered = [...defaultTools, ...optionalTools];
  const tools: Tool[] = [];
  for (const name of choice.tools) {
    const tool = offered.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (!tool) {
      const names = offered.map((candidate) => candidate.name).join(', ');
      return { status: 'unknown', message: `no tool ${JSON.stringify(name)}. There are ${names}.` };
    }
    tools.push(tool);
  }
  return { status: 'selected', tools };
}
