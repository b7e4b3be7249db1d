import type { MessageConnection } from 'vscode-jsonrpc/node';
import { askResident } from './ask-resident.ts';
import { type JoinedResident, joinResident } from './join-resident.ts';
import { type Hello, progressSchema, RESIDENT } from './resident-protocol.ts';
import type { CallResult, HostCall, LateDiagnostics, ToolHost } from './tool-host.ts';

/** The tools of a session in a resident process. When that process is lost, the next call joins another. */
export async function joinResidentHost(hello: Omit<Hello, 'version'>): Promise<ToolHost> {
  const host = new ResidentHost(hello);
  await host.join();
  return host;
}

class ResidentHost implements ToolHost {
  readonly #hello: Omit<Hello, 'version'>;
  #joined: Promise<JoinedResident> | undefined;
  #connection: MessageConnection | undefined;
  #tools: ToolHost['tools'] = [];
  #calls = 0;
  readonly #listeners = new Map<number, (message: string) => void>();

  constructor(hello: Omit<Hello, 'version'>) {
    this.#hello = hello;
  }

  get tools(): ToolHost['tools'] {
    return this.#tools;
  }

  join(): Promise<JoinedResident> {
    this.#joined ??= this.#open().catch((error: unknown) => {
      this.#joined = undefined;
      throw error;
    });
    return this.#joined;
  }

  lose(connection: MessageConnection): void {
    if (this.#connection === connection) this.#joined = undefined;
    connection.dispose();
  }

  async call(name: string, args: unknown, call: HostCall = {}): Promise<CallResult> {
    const number = ++this.#calls;
    if (call.onProgress) this.#listeners.set(number, call.onProgress);
    const { CancellationTokenSource } = await import('vscode-jsonrpc/node');
    const source = new CancellationTokenSource();
    const cancel = (): void => source.cancel();
    if (call.signal?.aborted) cancel();
    call.signal?.addEventListener('abort', cancel, { once: true });
    const params = {
      call: number,
      name,
      // What JSON has no word for is left to the tool's own schema to refuse.
      args: args ?? null,
      options: call.options ?? {},
      ...(call.answerWithinMs !== undefined && { answerWithinMs: call.answerWithinMs }),
    };
    try {
      return await askResident(this, (connection) =>
        connection.sendRequest<CallResult>(RESIDENT.call, params, source.token),
      );
    } finally {
      call.signal?.removeEventListener('abort', cancel);
      this.#listeners.delete(number);
    }
  }

  async flush(ms: number): Promise<readonly LateDiagnostics[]> {
    return askResident(this, (connection) => connection.sendRequest<readonly LateDiagnostics[]>(RESIDENT.flush, ms));
  }

  async close(): Promise<void> {
    const joined = await this.#joined?.catch(() => undefined);
    joined?.connection.end();
    joined?.connection.dispose();
  }

  async #open(): Promise<JoinedResident> {
    const joined = await joinResident(this.#hello);
    this.#tools = joined.tools;
    this.#connection = joined.connection;
    joined.connection.onClose(() => {
      if (this.#connection === joined.connection) this.#joined = undefined;
    });
    joined.connection.onNotification(RESIDENT.progress, (raw: unknown) => {
      const { call, message } = progressSchema.parse(raw);
      this.#listeners.get(call)?.(message);
    });
    return joined;
  }
}
