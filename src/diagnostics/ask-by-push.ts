import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import type { DiagnosticsKind } from '../workspace/language-server/server-definition.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import { pathOfUri } from '../workspace/uri.ts';
import { readDiagnostics } from './ask-by-pull.ts';
import { type Publication, PublishedDiagnostics } from './published-diagnostics.ts';
import type { Asked } from './raw-diagnostic.ts';

/** After each of these without a publication it is asked for once more: one that is on its way can get lost. */
const WAITS_MS = [4000, 8000, 16_000, 32_000];

const published = new WeakMap<LanguageServer, PublishedDiagnostics>();

/** Listens to what a server publishes; call it before the server starts. */
export function listenToPublications(server: LanguageServer): PublishedDiagnostics {
  const known = published.get(server) ?? new PublishedDiagnostics(server);
  published.set(server, known);
  return known;
}

/**
 * Waits for the publication of exactly the version that the server has. Where that came already, but other files
 * changed since, or came without a version, the document is sent once more as a change of nothing: servers look at it
 * again and publish it under the new version.
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
  const isOfIt = (publication: Publication): boolean => (publication.version ?? -1) >= version;
  const isOfSomeText = (publication: Publication): boolean =>
    isOfIt(publication) || (publication.version === undefined && publication.epoch === server.epoch);
  const nudge = (): number => server.nudge(path);
  let first = await publication(publications, { path, isIt: isOfSomeText, waitsMs: WAITS_MS, nudge });
  if (first && !isOfIt(first)) {
    // Of a file that it has read by itself, some servers publish without a version, and then keep to that.
    nudge();
    first = await publication(publications, { path, isIt: isOfIt, waitsMs: WAITS_MS.slice(0, 2), nudge });
    if (!first) return { status: 'unavailable', reason: 'it does not say of which text its diagnostics are' };
  }
  if (!first) throw new ServerFailure('hung', `it published nothing about ${path} in a minute`);
  const { items } = kind.quietMs === undefined ? first : await publications.quiet(path, first, kind.quietMs);
  return { status: 'answered', diagnostics: readDiagnostics(items, { document, session }) };
}

/** The first publication that is fit; `undefined` when none came in all that time. */
async function publication(
  publications: PublishedDiagnostics,
  wanted: {
    readonly path: string;
    readonly isIt: (one: Publication) => boolean;
    readonly waitsMs: readonly number[];
    readonly nudge: () => void;
  },
): Promise<Publication | undefined> {
  for (const [index, ms] of wanted.waitsMs.entries()) {
    if (index > 0) wanted.nudge();
    try {
      return await publications.wait(wanted.path, wanted.isIt, ms);
    } catch (error) {
      if (!(error instanceof ServerFailure) || error.code !== 'hung') throw error;
    }
  }
  return undefined;
}
