import type { MessageConnection, ResponseError } from 'vscode-jsonrpc';
import { uriOfPath } from '../uri.ts';
import type { Registrations } from './registrations.ts';
import { takeRequestedEdit } from './requested-edits.ts';
import type { ResolvedServer } from './resolve-server.ts';

/**
 * Answers what a server asks of its client. Several servers ask before they answer `initialize` and stall without an
 * answer, so this comes before the first message goes out. A server never changes files itself: what it wants
 * changed is taken only from one that was asked to, and goes through the broker.
 */
export function answerServerRequests(
  connection: MessageConnection,
  client: {
    readonly server: ResolvedServer;
    readonly registrations: Registrations;
    /** Told of requests that only this server has. */
    readonly onOther: (method: string, params: unknown) => void;
    /** The library's own error: it is loaded with the first server, and not before. */
    readonly ResponseError: typeof ResponseError;
  },
): void {
  const { server, registrations } = client;
  connection.onRequest((method, params) => {
    client.onOther(method, params);
    if (Object.hasOwn(OWN_ANSWERS, method)) return OWN_ANSWERS[method];
    return new client.ResponseError(-32601, `emend does not answer ${method}`);
  });
  connection.onRequest('client/registerCapability', (params: unknown) => {
    registrations.register(params);
    return null;
  });
  connection.onRequest('client/unregisterCapability', (params: unknown) => {
    registrations.unregister(params);
    return null;
  });
  connection.onRequest('workspace/configuration', (params: { readonly items?: readonly { section?: string }[] }) =>
    (params.items ?? []).map((item) => settingsSection(server.settings, item.section)),
  );
  connection.onRequest('workspace/workspaceFolders', () => [
    { uri: uriOfPath(server.root), name: server.root.slice(server.root.lastIndexOf('/') + 1) },
  ]);
  connection.onRequest('workspace/applyEdit', (params: unknown) => ({ applied: takeRequestedEdit(server, params) }));
  connection.onRequest('window/showDocument', () => ({ success: false }));
  connection.onRequest('window/showMessageRequest', () => null);
  connection.onRequest('window/workDoneProgress/create', () => null);
  for (const what of ['diagnostic', 'semanticTokens', 'inlayHint', 'inlineValue', 'codeLens', 'foldingRange']) {
    connection.onRequest(`workspace/${what}/refresh`, () => null);
  }
}

/** Requests that one server alone has, answered so that it goes on. */
const OWN_ANSWERS: Readonly<Record<string, unknown>> = {
  // 4: it may run the project's library, which was decided when the server was started.
  'eslint/confirmESLintExecution': 4,
  'eslint/noLibrary': {},
  'eslint/noConfig': {},
  'eslint/probeFailed': {},
  'eslint/openDoc': {},
  // After it took something out of the code, typescript-language-server would have its name typed.
  '_typescript.rename': null,
};

/** The member of the settings that a dotted section names; all of them without one; `null` where there is none. */
function settingsSection(settings: Readonly<Record<string, unknown>>, section: string | undefined): unknown {
  if (section === undefined || section === '') return settings;
  let value: unknown = settings;
  for (const name of section.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
