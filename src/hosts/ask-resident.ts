import type { MessageConnection } from 'vscode-jsonrpc/node';
import { StoreError } from '../workspace/document-store.ts';

/** Of the library, `ErrorCodes.MessageWriteError` and `ConnectionErrors`: the request did not get out. */
const NOT_WRITTEN = -32099;
const NOT_CONNECTED: readonly unknown[] = [1, 2];

/**
 * Asks the resident that `join` gives. A request that did not get out, because the process had just died, has done
 * nothing: `lose` forgets that process, and the next one is asked.
 * @throws StoreError `io` where the process is lost before it answers: what it did by then is not known
 */
export async function askResident<T>(
  resident: {
    join(): Promise<{ readonly connection: MessageConnection }>;
    lose(connection: MessageConnection): void;
  },
  ask: (connection: MessageConnection) => Promise<T>,
): Promise<T> {
  const { connection } = await resident.join();
  try {
    return await untilClosed(connection, ask);
  } catch (error) {
    if (!isNotWritten(error)) throw error;
    resident.lose(connection);
  }
  const next = await resident.join();
  return untilClosed(next.connection, ask);
}

function untilClosed<T>(connection: MessageConnection, ask: (connection: MessageConnection) => Promise<T>): Promise<T> {
  const lost = 'the resident process ended during this call. What it did by then is not known: look before you go on';
  return new Promise((resolve, reject) => {
    // What closes it may be that it could not be written to, which is told in the same turn.
    const listener = connection.onClose(() => setImmediate(() => reject(new StoreError('io', lost))));
    ask(connection)
      .then(resolve, reject)
      .finally(() => listener.dispose());
  });
}

function isNotWritten(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  // What the resident answers has a form in JSON, and may have any code.
  return error.code === NOT_WRITTEN || (NOT_CONNECTED.includes(error.code) && !('toJson' in error));
}
