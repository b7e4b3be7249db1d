import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { shortened } from '../workspace/truncation.ts';

/** One message that long is no message: somebody has sent us something else. */
const MAX_LINE = 64 * 1024 * 1024;

/** How often it is looked whether anybody still reads, once nothing more is to come. */
const LOOK_MS = 500;

interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Told of what is no message. */
  readonly complain: (message: string) => void;
  /** Nothing more will be asked, and all that was is answered; or nobody is there to read it. */
  readonly onEnd: () => void;
}

/**
 * MCP over standard input and output, a message a line. Differs from the SDK's in two ways: what was asked before the
 * input ended is still answered, and what is no message is answered with a JSON-RPC error instead of silence.
 */
export function createStdioTransport(options: StdioOptions): Transport {
  return new StdioTransport(options);
}

class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'] & object;
  readonly #options: StdioOptions;
  readonly #unanswered = new Set<string | number>();
  #parts: string[] = [];
  #length = 0;
  #hasEnded = false;
  #isClosed = false;
  #look: NodeJS.Timeout | undefined;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    input.setEncoding('utf8');
    input.on('data', (text: string) => this.#take(text));
    input.on('error', (error) => this.onerror?.(error));
    input.once('end', () => this.#end());
    input.once('close', () => this.#end());
    // Nobody reads any more: what is still running is for nobody.
    output.on('error', () => this.#stop());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      this.#options.output.write(`${JSON.stringify(message)}\n`, () => resolve());
      if (!('method' in message) && 'id' in message && message.id !== undefined) this.#settle(message.id);
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#look);
    this.onclose?.();
  }

  #take(text: string): void {
    const lines = text.split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#parts.push(line);
      this.#read(this.#parts.join(''));
      this.#parts = [];
      this.#length = 0;
    }
    this.#parts.push(rest);
    this.#length += rest.length;
    if (this.#length > MAX_LINE) {
      this.#parts = [];
      this.#length = 0;
      this.#refuse(-32700, `a line of more than ${MAX_LINE} characters`);
    }
  }

  #read(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(-32700, `this line is not JSON: ${shown(line)}`);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(-32600, `this line is not a JSON-RPC 2.0 message: ${shown(line)}`, idOf(value));
      return;
    }
    // A subscription is answered when it ends, so nobody waits for that.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#unanswered.add(message.id);
    this.onmessage?.(message);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') this.#settle(id);
    }
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#options.complain(message);
    this.#options.output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }

  #settle(id: string | number): void {
    this.#unanswered.delete(id);
    if (this.#hasEnded && this.#unanswered.size === 0) this.#stop();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#read(this.#parts.join(''));
    this.#parts = [];
    if (this.#unanswered.size === 0) {
      this.#stop();
      return;
    }
    // A blank before a message is part of no message, and fails where the reader is gone.
    this.#look = setInterval(() => this.#options.output.write(' '), LOOK_MS);
  }

  #stop(): void {
    clearInterval(this.#look);
    this.#options.onEnd();
  }
}

function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function shown(line: string): string {
  return JSON.stringify(shortened(line, 60));
}
