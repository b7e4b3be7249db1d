import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { clientRoots } from './client-roots.ts';
import { type CommandOptions, parseOptions, sessionOptionsOf } from './command-options.ts';
import { createCurrentHost } from './current-host.ts';
import { createMcpServer, type McpAnswers } from './mcp-server.ts';
import { openHost } from './open-host.ts';
import { createStdioTransport } from './stdio-transport.ts';

/** UTF-16 units: below what hosts take before they cut or file an answer away. */
const MAX_TEXT = 100_000;

/** `emend mcp`: serves the tools on standard input and output until the client hangs up or a signal comes. */
export async function mcp(rawOptions: Record<string, unknown>): Promise<void> {
  const options = parseOptions(rawOptions);
  const complain = (message: string): void => void process.stderr.write(`emend mcp: ${message}\n`);
  let served: Server | undefined;
  const host = createCurrentHost(async () => {
    const { host, command } = await openHost({
      roots: options.root ?? (served && (await clientRoots(served))) ?? ['.'],
      // Without a name it ends with the connection.
      ...(options.session !== undefined && { session: options.session }),
      command: options,
      onAlone: (reason) => complain(`no resident process (${reason}); all stays in this one`),
      onNote: complain,
    });
    return { host, answers: answersOf(command), close: () => host.close() };
  });

  let hasEnded = false;
  const end = async (): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    await handle.close();
    await host.close();
    process.exit(0);
  };
  const handle = serveStdio(
    () => {
      const server = createMcpServer({ host });
      server.setNotificationHandler('notifications/roots/list_changed', () => host.renew());
      served = server;
      return server;
    },
    {
      transport: createStdioTransport({
        input: process.stdin,
        output: process.stdout,
        complain,
        onEnd: () => void end(),
      }),
      onerror: (error) => complain(error.message),
    },
  );
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

function answersOf(command: CommandOptions): McpAnswers {
  return {
    sessionOptions: sessionOptionsOf(command),
    maxText: command.maxOutput ?? MAX_TEXT,
    ...(command.structured && { isStructured: true }),
    ...(command.answerWithin !== undefined && { answerWithinMs: command.answerWithin }),
  };
}
