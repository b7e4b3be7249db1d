import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { clientRoots } from './client-roots.ts';
import { parseOptions, sessionOptionsOf } from './command-options.ts';
import { createMcpServer } from './mcp-server.ts';
import { openHost } from './open-host.ts';
import type { ToolHost } from './tool-host.ts';

/** UTF-16 units: below what hosts take before they cut or file an answer away. */
const MAX_TEXT = 100_000;

/** `emend mcp`: serves the tools on standard input and output until the client hangs up or a signal comes. */
export async function mcp(rawOptions: Record<string, unknown>): Promise<void> {
  const options = parseOptions(rawOptions);
  const session = options.session ?? crypto.randomUUID();
  const complain = (message: string): void => void process.stderr.write(`emend mcp: ${message}\n`);
  const opened: Promise<ToolHost>[] = [];
  let current: Promise<ToolHost> | undefined;

  const open = async (server: Server): Promise<ToolHost> => {
    const roots = options.root ?? (await clientRoots(server)) ?? ['.'];
    return openHost({
      roots,
      session,
      command: options,
      onAlone: (reason) => complain(`no resident process (${reason}); all stays in this one`),
    });
  };
  const host = (server: Server): Promise<ToolHost> => {
    if (!current) {
      const opening = open(server);
      current = opening;
      opened.push(opening);
      opening.catch(() => {
        if (current === opening) current = undefined;
      });
    }
    return current;
  };

  const handle = serveStdio(
    () => {
      const server = createMcpServer({
        host,
        sessionOptions: sessionOptionsOf(options),
        maxText: options.maxOutput ?? MAX_TEXT,
        ...(options.structured && { isStructured: true }),
        ...(options.answerWithin !== undefined && { answerWithinMs: options.answerWithin }),
      });
      server.setNotificationHandler('notifications/roots/list_changed', () => {
        current = undefined;
      });
      return server;
    },
    { onerror: (error) => complain(error.message) },
  );

  let hasEnded = false;
  const end = async (): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    await handle.close();
    await Promise.allSettled(opened.map(async (opening) => (await opening).close()));
    process.exit(0);
  };
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}
