import type { MessageConnection } from 'vscode-jsonrpc/node';
import { StoreError } from '../workspace/document-store.ts';
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

  async call(name: string, args: unknown, call: HostCall = {}): Promise<CallResult> {
    const { connection } = await this.join();
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
      return await untilClosed(connection, connection.sendRequest<CallResult>(RESIDENT.call, params, source.token));
    } finally {
      call.signal?.removeEventListener('abort', cancel);
      this.#listeners.delete(number);
    }
  }

  async flush(ms: number): Promise<readonly LateDiagnostics[]> {
    const { connection } = await this.join();
    return untilClosed(connection, connection.sendRequest<readonly LateDiagnostics[]>(RESIDENT.flush, ms));
  }

  async close(): Promise<void> {
    const joined = await this.#joined?.catch(() => undefined);
    joined?.connection.end();
    joined?.connection.dispose();
  }

  async #open(): Promise<JoinedResident> {
    const joined = await joinResident(this.#hello);
    this.#tools = joined.tools;
    joined.connection.onClose(() => {
      this.#joined = undefined;
    });
    joined.connection.onNotification(RESIDENT.progress, (raw: unknown) => {
      const { call, message } = progressSchema.parse(raw);
      this.#listeners.get(call)?.(message);
    });
    return joined;
  }
}

/** @throws StoreError `io` where the process is lost before it answers: what it did by then is not known */
function untilClosed<T>(connection: MessageConnection, answer: Promise<T>): Promise<T> {
  const lost = 'the resident process ended during this call. What it did by then is not known: look before you go on';
  return new Promise((resolve, reject) => {
    const listener = connection.onClose(() => reject(new StoreError('io', lost)));
    answer.then(resolve, reject).finally(() => listener.dispose());
  });
}
