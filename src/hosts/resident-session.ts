import type { MessageConnection } from 'vscode-jsonrpc/node';
import { createSession, type Session } from '../broker/session.ts';
import { selectTools } from '../tools/select-tools.ts';
import { nameOf } from './log-call.ts';
import type { OpenRoot, RootView } from './open-root.ts';
import type { ResidentEditors } from './resident-editors.ts';
import { callParamsSchema, type Hello, RESIDENT } from './resident-protocol.ts';
import { createSessionHost } from './session-host.ts';
import type { ToolHost } from './tool-host.ts';
import { withoutUndefined } from './without-undefined.ts';

/** The sessions that have a name: they last from one connection to the next. */
export type NamedSessions = Map<string, Session>;

/** What one connection is to the resident once it has said hello. */
export interface ConnectedSession {
  readonly host: ToolHost;
  /** The front is gone: what it asked for is cancelled. */
  end(): void;
}

/**
 * Serves the calls of one front. What it asks is confined to its own roots and runs in its own environment; locks,
 * servers and receipts are those of the root, and what a session has read or waits for is the session's.
 */
export function connectSession(
  connection: MessageConnection,
  hello: Hello,
  {
    root,
    named,
    editors,
  }: { readonly root: OpenRoot; readonly named: NamedSessions; readonly editors: ResidentEditors },
): ConnectedSession | { readonly refused: string } {
  const selected = selectTools(withoutUndefined(hello.choice));
  if (selected.status === 'unknown') return { refused: selected.message };
  const view = root.view(hello);
  const session = sessionOf(hello, view, named);
  const host = editors.around(createSessionHost(session, selected.tools), session);
  const gone = new AbortController();
  const who = { session: nameOf(session), folder: hello.roots.join(' ') };
  root.log?.write('info', 'front_joined', who);

  connection.onRequest(RESIDENT.call, async (raw: unknown, token) => {
    const { call, name, args, options, answerWithinMs } = callParamsSchema.parse(raw);
    const cancelled = new AbortController();
    token.onCancellationRequested(() => cancelled.abort());
    return host.call(name, args, {
      signal: AbortSignal.any([gone.signal, cancelled.signal]),
      onProgress: (message) =>
        void connection.sendNotification(RESIDENT.progress, { call, message }).catch(() => undefined),
      options: withoutUndefined(options),
      ...(answerWithinMs !== undefined && { answerWithinMs }),
    });
  });
  connection.onRequest(RESIDENT.flush, (ms: number) => host.flush(ms));
  return {
    host,
    end() {
      gone.abort();
      root.log?.write('info', 'front_left', who);
      view.release();
    },
  };
}

function sessionOf(hello: Hello, view: RootView, named: NamedSessions): Session {
  if (hello.session === undefined) return createSession(view, crypto.randomUUID());
  // Folders are told apart: what one caller read under a name is not what another read elsewhere.
  const id = `${hello.roots.join('\0')}\0${hello.session}`;
  const known = named.get(id) ?? createSession(view, id);
  named.set(id, known);
  // What it knows stays; where it may go and how its commands run is as this connection says.
  return { ...known, root: view };
}
