import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { emendFor } from './emend.ts';
import { connectMcp, textOf } from './mcp-client.ts';

interface Receipt {
  readonly id: string;
  readonly ok: boolean;
  readonly diagnostics?: { readonly state: string };
  readonly reflow?: readonly {
    readonly receipt: string;
    readonly introduced: readonly object[];
    readonly fixed: readonly object[];
  }[];
}

export interface AgentRun {
  readonly edits: number;
  /** Edits whose diagnostics came with their own result, and with a later one. */
  readonly own: number;
  readonly late: number;
}

/**
 * Two agents on one root at the same time, over MCP and one resident process: reads and edits of the files, each of
 * which must be TypeScript and end with a line. Every edit's diagnostics must come exactly once, to the agent that made
 * it; what is still due at the end is collected.
 */
export async function runAgents(options: {
  readonly root: string;
  readonly files: readonly string[];
  readonly calls: number;
  readonly budgetMs: number;
  readonly read: (file: string) => string;
}): Promise<AgentRun> {
  const emend = emendFor(options.root);
  const args = ['--root', options.root, '--wait-cold', String(options.budgetMs), '--snippet', 'never'];
  const connect = () => connectMcp({ args, env: emend.env });
  const agents = await Promise.all([connect(), connect()]);
  const finishes = await Promise.all(agents.map(({ client }, number) => playAgent(client, { ...options, number })));
  // A file that the other one changes meanwhile is waited for, so what is due is collected when both are done.
  const runs = await Promise.all(finishes.map((finish) => finish()));
  const ids = runs.flatMap(({ told }) => [...told.keys()]);
  expect(new Set(ids).size).toBe(ids.length);
  return {
    edits: ids.length,
    own: runs.reduce((sum, run) => sum + run.own, 0),
    late: runs.reduce((sum, run) => sum + run.late, 0),
  };
}

interface PlayedRun {
  readonly told: ReadonlyMap<string, number>;
  readonly own: number;
  readonly late: number;
}

/** Makes the calls of one agent; what it gives collects what is due then. */
async function playAgent(
  client: Client,
  options: Parameters<typeof runAgents>[0] & { readonly number: number },
): Promise<() => Promise<PlayedRun>> {
  /** How often the diagnostics of each edit came. */
  const told = new Map<string, number>();
  const added = new Map<string, string[]>();
  const made: { readonly id: string; readonly file: string }[] = [];
  let own = 0;
  let late = 0;
  const call = async (name: string, args: Record<string, unknown>): Promise<Receipt & { readonly text: string }> => {
    const result = await client.callTool({ name, arguments: args }, { timeout: 120_000 });
    const receipt = result._meta?.['emend/receipt'] as Receipt;
    for (const { receipt: id, introduced, fixed } of receipt.reflow ?? []) {
      expect(told.has(id) || id === receipt.id, `the diagnostics of ${id} came to another session`).toBe(true);
      expect(textOf(result)).toContain(`diagnostics of [${id}]`);
      const isMore = id === receipt.id ? receipt.diagnostics?.state === 'fresh' : told.get(id) !== 0;
      // What an edit did to files that depend on it may follow on its own: then there is something to tell.
      if (isMore && introduced.length + fixed.length > 0) continue;
      told.set(id, (told.get(id) ?? 0) + 1);
      late += 1;
    }
    return { ...receipt, text: textOf(result) };
  };
  for (let number = 0; number < options.calls; number += 1) {
    const file = options.files[(number * 7 + options.number) % options.files.length] ?? '';
    if (number % 4 === 3) {
      await call('Read', { file_path: file, limit: 20 });
      continue;
    }
    const mine = added.get(file) ?? [];
    const last = mine.pop();
    const line = `export const agent${options.number}call${number}: number = 'no';\n`;
    const edit =
      last === undefined
        ? { old_string: lastLine(options.read(file)), new_string: `${lastLine(options.read(file))}${line}` }
        : { old_string: last, new_string: '' };
    if (last === undefined) mine.push(line);
    added.set(file, mine);
    const { text, ...receipt } = await call('Edit', { file_path: file, ...edit });
    expect(receipt.ok, `${text}\n${JSON.stringify(edit)}`).toBe(true);
    made.push({ id: receipt.id, file });
    const isOwn = receipt.diagnostics?.state === 'fresh';
    own += isOwn ? 1 : 0;
    told.set(receipt.id, (told.get(receipt.id) ?? 0) + (isOwn ? 1 : 0));
  }
  return async () => {
    await call('Diagnostics', { wait_ms: 100_000 });
    await call('Read', { file_path: options.files[0] ?? '', limit: 1 });
    // One late answer may be of several edits of a file: the last of them tells it.
    const isTold = (id: string): boolean => {
      const of = made.filter(({ file }) => file === made.find((one) => one.id === id)?.file).map((one) => one.id);
      return of.slice(of.indexOf(id)).some((later) => told.get(later) === 1);
    };
    const odd = [...told].filter(([id, times]) => times > 1 || !isTold(id));
    expect(odd, 'edits whose diagnostics did not come exactly once').toEqual([]);
    return { told, own, late };
  };
}

/** Its last line that stands there once, with its line end. */
function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim().length > 12);
  const unique = lines.filter((line) => lines.indexOf(line) === lines.lastIndexOf(line) && !line.includes('agent'));
  return `${unique.at(-1) ?? ''}\n`;
}
