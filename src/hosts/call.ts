import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { SessionOptions } from '../broker/session.ts';
import { type CommandOptions, parseOptions, sessionOptionsOf } from './command-options.ts';
import { openHost } from './open-host.ts';
import { UsageError } from './usage-error.ts';

/** The session of calls that name none: one for each root. */
const DEFAULT_SESSION = 'default';

/**
 * `emend call TOOL JSON|-|@FILE`: one call, its text (or with `--json` one JSON line) on standard output. Returns the
 * exit status: 0 ok, 1 refused or failed.
 * @throws UsageError on an unknown tool or JSON that can't be parsed
 */
export async function call(tool: string, json: string, rawOptions: Record<string, unknown>): Promise<number> {
  const options = parseOptions(rawOptions);
  const args = parseArguments(await argumentText(json));
  const host = await openHost({
    roots: options.root ?? ['.'],
    session: options.session ?? process.env.EMEND_SESSION ?? DEFAULT_SESSION,
    command: options,
    onAlone: (reason) => process.stderr.write(`emend: no resident process (${reason}); all stays in this one\n`),
  });
  try {
    if (!host.tools.some(({ name }) => name === tool)) {
      const names = host.tools.map(({ name }) => name).join(', ');
      throw new UsageError(`no tool ${JSON.stringify(tool)}. There are ${names}.`);
    }
    const cancelled = new AbortController();
    process.once('SIGINT', () => cancelled.abort());
    process.once('SIGTERM', () => cancelled.abort());
    const { ok, text, receipt } = await host.call(tool, args, {
      signal: cancelled.signal,
      options: callOptions(options),
    });
    process.stdout.write(options.json ? `${JSON.stringify({ ok, text, receipt })}\n` : `${text}\n`);
    return ok ? 0 : 1;
  } finally {
    await host.close();
  }
}

function callOptions(options: CommandOptions): Partial<SessionOptions> {
  // With the process go its servers, and nothing follows.
  const hint = '--wait-cold MS waits longer for a server that is starting';
  return { ...sessionOptionsOf(options), ...(options.inProcess && { pendingHint: hint }) };
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
