import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createSession } from '../broker/session.ts';
import { defaultTools } from '../tools/tools.ts';
import { parseOptions } from './command-options.ts';
import { createMcpServer } from './mcp-server.ts';
import { openRoot } from './open-root.ts';

/** `emend mcp`: serves the tools on standard input and output until the client hangs up or a signal comes. */
export async function mcp(rawOptions: Record<string, unknown>): Promise<void> {
  const options = parseOptions(rawOptions);
  const root = await openRoot({
    root: options.root,
    ...(options.allow && { allow: options.allow }),
    ...(options.unconfined && { unconfined: true }),
  });
  const session = createSession(root, crypto.randomUUID(), options.snippet ? { snippet: options.snippet } : {});
  const handle = serveStdio(() => createMcpServer(defaultTools, session), {
    onerror: (error) => process.stderr.write(`emend mcp: ${error.message}\n`),
  });
  let hasEnded = false;
  const end = async (): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    await handle.close();
    await root.close();
    process.exit(0);
  };
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}
