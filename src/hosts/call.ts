import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { defaultTools } from '../tools/tools.ts';
import { parseOptions } from './command-options.ts';
import { createBroker } from './create-broker.ts';
import { UsageError } from './usage-error.ts';

/**
 * `emend call TOOL JSON|-|@FILE`: one call, its text (or with `--json` one JSON line) on standard output. Returns the
 * exit status: 0 ok, 1 refused or failed.
 * @throws UsageError on an unknown tool or JSON that can't be parsed
 */
export async function call(tool: string, json: string, rawOptions: Record<string, unknown>): Promise<number> {
  const options = parseOptions(rawOptions);
  if (!defaultTools.some(({ name }) => name === tool)) {
    throw new UsageError(
      `no tool ${JSON.stringify(tool)}. There are ${defaultTools.map(({ name }) => name).join(', ')}.`,
    );
  }
  const args = parseArguments(await argumentText(json));
  const session = options.session ?? process.env.EMEND_SESSION;
  const broker = await createBroker({
    root: options.root,
    pendingHint: '--wait-cold MS waits longer for a server that is starting',
    ...(session && { session }),
    ...(options.snippet && { snippet: options.snippet }),
    ...(options.waitCold !== undefined && { diagnosticsBudgetMs: options.waitCold }),
    ...(options.allow && { allow: options.allow }),
    ...(options.unconfined && { unconfined: true }),
  });
  try {
    const { ok, text, receipt } = await broker.call(tool, args);
    process.stdout.write(options.json ? `${JSON.stringify({ ok, text, receipt })}\n` : `${text}\n`);
    return ok ? 0 : 1;
  } finally {
    await broker.close();
  }
}

async function argumentText(json: string): Promise<string> {
  if (json === '-') return text(process.stdin);
  if (!json.startsWith('@')) return json;
  try {
    return await readFile(json.slice(1), 'utf8');
  } catch (error) {
    throw new UsageError(`${json}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const start = json.length > 60 ? `${json.slice(0, 60)}…` : json;
    throw new UsageError(
      `the arguments are not JSON: ${JSON.stringify(start)} (${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
}
