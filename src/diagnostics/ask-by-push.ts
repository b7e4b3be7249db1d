import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { DiagnosticsKind } from '../workspace/language-server/server-definition.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import { pathOfUri } from '../workspace/uri.ts';
import { readDiagnostics } from './ask-by-pull.ts';
import { type Publication, PublishedDiagnostics } from './published-diagnostics.ts';
import type { Asked } from './raw-diagnostic.ts';

const WAIT_MS = 60_000;
const LATER_MS = 5000;

const published = new WeakMap<LanguageServer, PublishedDiagnostics>();

/** Listens to what a server publishes; call it before the server starts. */
export function listenToPublications(server: LanguageServer): PublishedDiagnostics {
  const known = published.get(server) ?? new PublishedDiagnostics(server);
  published.set(server, known);
  return known;
}

/**
 * Waits for the publication of exactly the version that the server has. Where that came already, but other files
 * changed since, the document is sent once more as a change of nothing: servers look at it again and publish it under
 * the new version.
 */
export async function askByVersionedPush(
  server: LanguageServer,
  document: TextDocument,
  kind: Extract<DiagnosticsKind, { readonly kind: 'versioned-push' }>,
): Promise<Asked> {
  const path = pathOfUri(document.uri) ?? document.uri;
  const publications = listenToPublications(server);
  const session = await server.ready();
  const last = publications.get(path);
  const isStale = last?.version === document.version && last.epoch !== server.epoch;
  const version = isStale ? server.nudge(path) : document.version;
  const isOfIt = (publication: Publication): boolean => publication.version === version;
  const isOfSomeText = (publication: Publication): boolean =>
    isOfIt(publication) || (publication.version === undefined && publication.epoch === server.epoch);
  let first = await publications.wait(path, isOfSomeText, WAIT_MS);
  if (!isOfIt(first)) {
    // Of a file that it has read by itself, some servers publish without a version first.
    try {
      first = await publications.wait(path, isOfIt, LATER_MS);
    } catch (error) {
      if (!(error instanceof ServerFailure) || error.code !== 'hung') throw error;
      return { status: 'unavailable', reason: 'it does not say of which text its diagnostics are' };
    }
  }
  const { items } = kind.quietMs === undefined ? first : await publications.quiet(path, first, kind.quietMs);
  return { status: 'answered', diagnostics: readDiagnostics(items, { document, session }) };
}
