import { DIALECT_NAMES, DIALECT_TOOLS, DIALECTS, type DialectName, dialectOfModel } from './dialects.ts';
import { renamedTool } from './renamed-tool.ts';
import type { Tool } from './tool.ts';
import { defaultTools, experimentalLspTools, optionalTools } from './tools.ts';

/** Which tools a caller is offered, and under which names. */
export interface ToolChoice {
  /** By name, ours or the dialect's, in this order; what the dialect's models know by default. */
  readonly tools?: readonly string[];
  /** `claude`, `opencode`, `gemini`, `codex`: the model's by default. */
  readonly dialect?: string;
  /** The model that will call them, as in `gpt-5.1` or `google/gemini-3-pro`. */
  readonly model?: string;
  /** Offers the LSP tool too, which is experimental: to look, or also to change files by it. */
  readonly experimentalLsp?: 'read' | 'refactor';
  /** The one tool that is called: offered beside the dialect's where it is optional and `tools` says nothing. */
  readonly called?: string;
}

type SelectedTools =
  | { readonly status: 'selected'; readonly tools: readonly Tool[] }
  | { readonly status: 'unknown'; readonly message: string };

/** The tools for a choice; the default ones where it says nothing. */
export function selectTools(choice: ToolChoice): SelectedTools {
  const name = choice.dialect ?? (choice.model === undefined ? 'claude' : dialectOfModel(choice.model));
  if (!isDialect(name)) {
    const message = `no dialect ${JSON.stringify(name)}. There are ${DIALECT_NAMES.join(', ')}.`;
    return { status: 'unknown', message };
  }
  const lsp = choice.experimentalLsp === undefined ? [] : [experimentalLspTools[choice.experimentalLsp]];
  const all = [...defaultTools, ...optionalTools, ...lsp];
  const dialect = DIALECTS[name];
  const words = new Map(Object.entries(dialect ?? {}).map(([ours, theirs]) => [ours, theirs.name]));
  const named = all.map((tool) => {
    const names = dialect?.[tool.name];
    return { ours: tool.name, tool: names ? renamedTool(tool, names, words) : tool };
  });
  const tools: Tool[] = [];
  const called = optionalTools.filter((tool) => tool.name === choice.called).map((tool) => tool.name);
  const usual = [...DIALECT_TOOLS[name], ...lsp.map((tool) => tool.name)];
  for (const wanted of choice.tools ?? [...new Set([...usual, ...called])]) {
    const isMeant = (one: string): boolean => one.toLowerCase() === wanted.toLowerCase();
    const found = named.find(({ ours, tool }) => isMeant(tool.name) || isMeant(ours));
    if (!found) {
      const names = named.map(({ tool }) => tool.name).join(', ');
      return { status: 'unknown', message: `no tool ${JSON.stringify(wanted)}. There are ${names}.` };
    }
    if (tools.some((tool) => tool.name === found.tool.name)) continue;
    tools.push(choice.experimentalLsp === undefined ? found.tool : showingSymbols(found.tool));
  }
  return { status: 'selected', tools };
}

/** Symbols in the answers of other tools are as experimental as the tool that asks for them. */
function showingSymbols(tool: Tool): Tool {
  return { ...tool, run: (args, call) => tool.run(args, { ...call, symbols: 'shown' }) };
}

function isDialect(name: string): name is DialectName {
  return (DIALECT_NAMES as readonly string[]).includes(name);
}
