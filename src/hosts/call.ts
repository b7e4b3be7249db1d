import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { SessionOptions } from '../broker/session.ts';
import { isNestedTooDeeply } from '../tools/nested-too-deeply.ts';
import { nearestName } from '../workspace/nearest-name.ts';
import { shortened } from '../workspace/truncation.ts';
import { type CommandOptions, parseOptions, sessionOptionsOf } from './command-options.ts';
import { openHost } from './open-host.ts';
import { UsageError } from './usage-error.ts';

/** The session of calls that name none: one for each root. */
const DEFAULT_SESSION = 'default';

/**
 * `emend call TOOL JSON|-|@FILE`: one call, its text (or with `--json` one JSON line) on standard output. Returns the
 * exit status: 0 ok, 1 refused or failed, arguments that the tool does not take included.
 * @throws UsageError on an unknown tool or JSON that can't be parsed: then nothing was run
 */
export async function call(tool: string, json: string, rawOptions: Record<string, unknown>): Promise<number> {
  const options = parseOptions(rawOptions);
  const args = parseArguments(await argumentText(json));
  const { host, command } = await openHost({
    roots: options.root ?? ['.'],
    session: options.session ?? process.env.EMEND_SESSION ?? DEFAULT_SESSION,
    called: tool,
    command: options,
    onAlone: (reason) => process.stderr.write(`emend: no resident process (${reason}); all stays in this one\n`),
  });
  try {
    if (!host.tools.some(({ name }) => name === tool)) {
      const names = host.tools.map(({ name }) => name);
      const meant = nearestName(tool, names);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      throw new UsageError(`no tool ${JSON.stringify(tool)}.${hint} There are ${names.join(', ')}.`);
    }
    const cancelled = new AbortController();
    process.once('SIGINT', () => cancelled.abort());
    process.once('SIGTERM', () => cancelled.abort());
    const { ok, text, receipt } = await host.call(tool, args, {
      signal: cancelled.signal,
      options: callOptions(command),
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
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const path = resolve(json.slice(1));
    const what = code === 'ENOENT' ? 'there is no such file' : `it can't be read (${String(code)})`;
    throw new UsageError(
      `${json}: ${what} (${path}). @FILE reads the arguments from a file that exists, - from standard input; or give the JSON itself.`,
      { cause: error },
    );
  }
}

function parseArguments(json: string): unknown {
  const args = parseJson(json);
  if (!isNestedTooDeeply(args)) return args;
  throw new UsageError('the arguments are nested too deeply. Give one JSON object of the parameters.');
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const start = shortened(json, 60);
    throw new UsageError(
      `the arguments are not JSON: ${JSON.stringify(start)} (${error instanceof Error ? error.message : String(error)}). ` +
        'Give one JSON object; - reads it from standard input, where no shell takes its quotes away.',
      { cause: error },
    );
  }
}
