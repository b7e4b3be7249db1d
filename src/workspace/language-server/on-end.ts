import type { ServerSession } from './server-session.ts';

interface End {
  readonly listeners: Set<(reason: string) => void>;
  reason?: string;
}

const ends = new WeakMap<ServerSession, End>();

/**
 * Calls `listener` when a session's process has ended, or soon where it has, until the function that it returns is
 * called. What is put on `ended` itself is kept for as long as the process lives.
 */
export function onEnd(session: ServerSession, listener: (reason: string) => void): () => void {
  const end = ends.get(session) ?? beginning(session);
  end.listeners.add(listener);
  const { reason } = end;
  if (reason !== undefined) queueMicrotask(() => end.listeners.has(listener) && listener(reason));
  return () => end.listeners.delete(listener);
}

function beginning(session: ServerSession): End {
  const end: End = { listeners: new Set() };
  ends.set(session, end);
  void session.ended.then((reason) => {
    end.reason = reason;
    for (const tell of [...end.listeners]) tell(reason);
  });
  return end;
}
