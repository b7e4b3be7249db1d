import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { askByCommand } from './ask-by-command.ts';
import { askByPull } from './ask-by-pull.ts';
import { askByVersionedPush } from './ask-by-push.ts';
import { askByUnversionedPush } from './ask-by-unversioned-push.ts';
import type { Asked, RawDiagnostic } from './raw-diagnostic.ts';

/** What a server says of exactly the text that it has of a document. */
type Answer =
  | {
      readonly status: 'answered';
      readonly document: TextDocument;
      /** The server's epoch while it answered. */
      readonly epoch: number;
      readonly diagnostics: readonly RawDiagnostic[];
    }
  /** Something that matters to the answer was sent while it was on its way: ask again. */
  | { readonly status: 'overtaken' }
  /** The server runs, but can't know. */
  | { readonly status: 'unavailable'; readonly reason: string };

/** What a server said of one text. */
export type Answered = Extract<Answer, { readonly status: 'answered' }>;

/**
 * Asks a server about a document that it has open, or about `unopened` as it stands on disk. Servers take messages in
 * order, so a reply is of all that was sent before the request; when more was sent meanwhile, the answer is `overtaken`.
 * @throws ServerFailure when it did not start, ended or hung
 */
export async function askDiagnostics(server: LanguageServer, path: string, unopened?: TextDocument): Promise<Answer> {
  await server.ready();
  const objection = await server.objection();
  if (objection !== undefined) return { status: 'unavailable', reason: objection };
  const document = server.documents.get(path) ?? unopened;
  if (!document) throw new RangeError(`${path} is not open in ${server.resolved.definition.name}`);
  const { epoch } = server;
  const asked = await ask(server, document);
  if (server.epoch !== epoch) return { status: 'overtaken' };
  const objectionTo = server.signs.objectionTo(path);
  if (objectionTo !== undefined) return { status: 'unavailable', reason: objectionTo };
  return asked.status === 'answered' ? { ...asked, document, epoch } : asked;
}

function ask(server: LanguageServer, document: TextDocument): Promise<Asked> {
  const { diagnostics } = server.resolved.definition;
  switch (diagnostics.kind) {
    case 'pull':
      return askByPull(server, document);
    case 'versioned-push':
      return askByVersionedPush(server, document, diagnostics);
    case 'unversioned-push':
      return askByUnversionedPush(server, document, diagnostics);
    case 'sync-command':
      return askByCommand(server, document, diagnostics);
  }
}
