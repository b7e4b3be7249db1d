import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { pathOfUri } from '../workspace/uri.ts';
import { readDiagnostics } from './ask-by-pull.ts';
import { PublishedDiagnostics } from './published-diagnostics.ts';
import type { Asked } from './raw-diagnostic.ts';

const WAIT_MS = 60_000;

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
export async function askByVersionedPush(server: LanguageServer, document: TextDocument): Promise<Asked> {
  const path = pathOfUri(document.uri) ?? document.uri;
  const publications = listenToPublications(server);
  const session = await server.ready();
  const last = publications.get(path);
  const isStale = last?.version === document.version && last.epoch !== server.epoch;
  const version = isStale ? server.nudge(path) : document.version;
  const { items } = await publications.wait(path, (publication) => publication.version === version, WAIT_MS);
  return { status: 'answered', diagnostics: readDiagnostics(items, { document, session }) };
}
