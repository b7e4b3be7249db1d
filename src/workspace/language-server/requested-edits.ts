import type { ResolvedServer } from './resolve-server.ts';

const collecting = new WeakMap<ResolvedServer, unknown[]>();

/**
 * Runs `work`, and gives beside its result the workspace edits that the server asked its client to make meanwhile: a
 * command answers by them. They are made by nobody; the server is told that they were.
 */
export async function collectEdits<T>(
  server: ResolvedServer,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly edits: readonly unknown[] }> {
  const edits: unknown[] = [];
  collecting.set(server, edits);
  try {
    return { value: await work(), edits };
  } finally {
    collecting.delete(server);
  }
}

/** Takes the parameters of `workspace/applyEdit`; `false`: nobody asked the server to change anything. */
export function takeRequestedEdit(server: ResolvedServer, params: unknown): boolean {
  const edits = collecting.get(server);
  if (!edits || typeof params !== 'object' || params === null || !('edit' in params)) return false;
  edits.push(params.edit);
  return true;
}
