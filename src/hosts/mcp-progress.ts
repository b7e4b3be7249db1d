import type { ServerContext } from '@modelcontextprotocol/server';

/** Clients that wait as long as there is progress want to hear of it; tools that tell of it themselves do each 5 s. */
const BEAT_MS = 6000;

interface Progress {
  /** Says how the call is getting on. */
  tell(message: string): void;
  end(): void;
}

/** Tells a client that gave a progress token, by itself where nothing was told for a while, that its call is running. */
export function beatProgress(request: ServerContext['mcpReq']): Progress | undefined {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  const startedAt = performance.now();
  const send = (text: string): void => {
    progress += 1;
    const params = { progressToken, progress, message: text };
    // A client that is gone needs no progress; the call hears of it by its signal.
    request.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(() => {
    send(`running, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }, BEAT_MS);
  timer.unref();
  return {
    tell(text) {
      send(text);
      timer.refresh();
    },
    end: () => clearInterval(timer),
  };
}
