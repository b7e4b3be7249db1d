import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { DiagnosticsKind } from '../workspace/language-server/server-definition.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import { pathOfUri } from '../workspace/uri.ts';
import { readDiagnostics } from './ask-by-pull.ts';
import { listenToPublications } from './ask-by-push.ts';
import type { Publication } from './published-diagnostics.ts';
import type { Asked } from './raw-diagnostic.ts';

const WAIT_MS = 60_000;

/** What was taken as the answer, by server and path: it holds until something more is sent. */
const taken = new WeakMap<LanguageServer, Map<string, { readonly epoch: number; readonly publication: Publication }>>();

/**
 * Waits for a publication that can only be of the text that the server has. It says no version, so the text is sent once
 * more as a change of nothing, and a request right after it: what is published is placed by the reply to that.
 */
export async function askByUnversionedPush(
  server: LanguageServer,
  document: TextDocument,
  kind: Extract<DiagnosticsKind, { readonly kind: 'unversioned-push' }>,
): Promise<Asked> {
  const path = pathOfUri(document.uri) ?? document.uri;
  const publications = listenToPublications(server);
  const session = await server.ready();
  const last = taken.get(server)?.get(path);
  const read = ({ items }: Publication): Asked => ({
    status: 'answered',
    diagnostics: readDiagnostics(items, { document, session }),
  });
  if (last && last.epoch === server.epoch) return read(last.publication);

  const { epoch } = server;
  const sentAt = server.clock.now();
  server.nudge(path);
  await server.request('textDocument/documentSymbol', { textDocument: { uri: document.uri } }).catch(refused);
  const from = kind.comes === 'debounced' ? server.clock.now() + kind.settleMs : sentAt;
  const first = await publications.wait(path, ({ at }) => at >= from, WAIT_MS);
  const quietMs = kind.comes === 'at-once' ? (kind.quietMs ?? 0) : 0;
  const publication = await publications.quiet(path, first, quietMs);
  const byPath = taken.get(server) ?? new Map();
  taken.set(server, byPath.set(path, { epoch, publication }));
  return read(publication);
}

/** A server that has no symbols shows by its refusal that it has the text. */
function refused(error: unknown): void {
  if (!(error instanceof ServerFailure) || error.code !== 'refused') throw error;
}
