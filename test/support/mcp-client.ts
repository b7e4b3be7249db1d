import { join } from 'node:path';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

export const BIN = join(import.meta.dirname, '../../dist/bin/cli.js');

export interface ConnectOptions {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly client?: ClientOptions;
  /** Before it connects: handlers for what the server asks. */
  readonly prepare?: (client: Client) => void;
}

export interface ConnectedClient {
  readonly client: Client;
  readonly transport: StdioClientTransport;
}

/** The official client on `emend mcp`, gone when the test is. */
export async function connectMcp(options: ConnectOptions): Promise<ConnectedClient> {
  const connected = await openMcp(options);
  onTestFinished(() => connected.client.close());
  return connected;
}

/** The same, for whoever closes the client: a `beforeAll` shares one among tests. */
export async function openMcp(options: ConnectOptions): Promise<ConnectedClient> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options.client);
  options.prepare?.(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...(options.args ?? ['--in-process'])],
    cwd: options.cwd ?? '/',
    env: { ...(process.env as Record<string, string>), ...options.env },
    stderr: 'inherit',
  });
  await client.connect(transport);
  return { client, transport };
}

/** The text of a result's first part. */
export function textOf(result: { readonly content?: unknown }): string {
  const [first] = (result.content ?? []) as readonly { readonly type: string; readonly text: string }[];
  return first?.text ?? '';
}
