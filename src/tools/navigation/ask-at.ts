import type { Position, ServerCapabilities } from 'vscode-languageserver-protocol';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Refusal, refuse } from '../../broker/refusal.ts';
import type { Reply } from '../../diagnostics/question.ts';
import { isWithin } from '../../workspace/deny-list.ts';
import { languageIdOf } from '../../workspace/document-snapshot.ts';
import type { LanguageServer } from '../../workspace/language-server/language-server.ts';
import { type PositionEncoding, positionAt } from '../../workspace/language-server/position-encoding.ts';
import { ServerFailure } from '../../workspace/language-server/server-failure.ts';
import type { ToolCall } from '../tool.ts';
import type { Address, AddressedFile } from './address.ts';
import { type Spot, type Spots, spotsNamed, spotsOnLine } from './find-spots.ts';
import { outlineOf } from './known-outlines.ts';
import { seenText, sharedText } from './seen-texts.ts';

/** Milliseconds: an answer is what the call is for, so it waits longer than an edit does. */
const BUDGET_MS = 10_000;
const ANSWER_MARGIN_MS = 1000;

/** A document that a server has with its present text. */
export interface OpenFile {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly server: LanguageServer;
  readonly document: TextDocument;
  readonly encoding: PositionEncoding;
}

/** What a server said of one place. */
export interface Said extends OpenFile {
  readonly status: 'said';
  readonly spot: Spot;
  readonly reply: unknown;
}

/** What is asked about one open file, of the first server that offers it and has an answer. */
interface FileQuestion<T> {
  readonly needs: keyof ServerCapabilities;
  readonly when?: 'early' | undefined;
  ask(file: OpenFile): Promise<T>;
  isEmpty(answer: T): boolean;
}

/** A symbol that a server is asked about; `position` counts in its units. */
export interface SymbolAt {
  readonly file: OpenFile;
  readonly uri: string;
  readonly position: Position;
  readonly word: string;
}

/** How long a call may wait for a server that is loading. */
export function navigationBudgetMs(call: ToolCall): number {
  const budget = Math.max(BUDGET_MS, call.session.options.diagnosticsBudgetMs);
  return call.answerWithinMs === undefined ? budget : Math.min(budget, call.answerWithinMs - ANSWER_MARGIN_MS);
}

/** Asks the server of a file something about its present text. */
export function askFile<T>(
  call: ToolCall,
  file: Pick<AddressedFile, 'path' | 'shown' | 'languageId'>,
  question: FileQuestion<T>,
): Promise<Reply<T | Refusal>> {
  const { root } = call.session;
  const { path, shown, languageId } = file;
  return root.diagnostics.ask<T | Refusal>(
    {
      file: { path, languageId },
      needs: question.needs,
      when: question.when,
      budgetMs: navigationBudgetMs(call),
      isEmpty: (answer) => !isRefusal(answer) && question.isEmpty(answer),
      // The text is read now, and not before: an edit may have come first.
      async ask(server, session) {
        const shared = sharedText(call, path, server);
        const snapshot = shared ?? (await seenText(call, path));
        if (!snapshot) return refuse('binary', `${shown} has no text that a language server could read.`);
        if (shared) server.documents.touch(path);
        else server.sync({ path, languageId, text: snapshot.text });
        syncBuffers(call, server);
        const document = server.documents.get(path) ?? snapshot.textDocument;
        return await question.ask({ path, server, document, encoding: session.positionEncoding });
      },
    },
    call.signal,
  );
}

/** What an editor holds is what there is, in the files that are not asked about too. */
function syncBuffers(call: ToolCall, server: LanguageServer): void {
  const { definition, root } = server.resolved;
  for (const { path, text } of call.session.root.store.unsaved?.() ?? []) {
    const languageId = languageIdOf(path);
    if (!definition.languages.includes(languageId) || !isWithin(root, path)) continue;
    if (server.documents.get(path)?.getText() !== text) server.sync({ path, languageId, text });
  }
}

/** Asks about the symbol that is meant, of several that may be meant the first about which the server knows something. */
export function askAt(
  call: ToolCall,
  address: Address,
  question: {
    readonly needs: keyof ServerCapabilities;
    readonly when?: 'early';
    request(at: SymbolAt): Promise<unknown>;
    /** `none`: a symbol beside the named place is not taken for it, because files change by what is asked. */
    readonly guesses?: 'none';
  },
): Promise<Reply<Said | Refusal>> {
  return askFile<Said | Refusal>(call, address.file, {
    needs: question.needs,
    when: question.when,
    isEmpty: (answer) => answer.status === 'said' && isEmptyReply(answer.reply),
    async ask(file) {
      const { document, encoding } = file;
      const found = isByLine(address) ? spotsOnLine(document, address) : await findSpots(file, address);
      if (found.status === 'refused') return found;
      const [likeliest] = found.spots;
      const isGuess = address.name === undefined && (address.character === undefined || likeliest?.note !== undefined);
      if (question.guesses === 'none' && isGuess) return beside(address, likeliest);
      const spots = question.guesses === 'none' ? found.spots.slice(0, 1) : found.spots;
      let first: Said | undefined;
      let refused: ServerFailure | undefined;
      for (const spot of spots) {
        const position = positionAt(document, spot.offset, encoding);
        const reply = await orRefusal(question.request({ file, uri: document.uri, position, word: spot.word }));
        if (reply instanceof ServerFailure) {
          refused ??= reply;
          continue;
        }
        const said: Said = { status: 'said', ...file, spot, reply };
        first ??= said;
        if (!isEmptyReply(reply)) return said;
      }
      // What a server would not say is no absence.
      if (refused && first?.spot !== spots[0]) throw refused;
      return first ?? refuse('not_found', `no symbol is at that place of ${address.file.shown}.`);
    },
  });
}

function beside({ file, line = 0 }: Address, nearest: Spot | undefined): Refusal {
  const hint = nearest === undefined ? '' : ` The nearest is ${nearest.word}.`;
  return refuse(
    'invalid_arguments',
    `no symbol is named at L${line + 1} of ${file.shown}.${hint} Give symbol with line.`,
  );
}

/** Where the symbol may stand that an address means. @throws ServerFailure */
export async function findSpots(file: OpenFile, address: Address): Promise<Spots> {
  const { server, document, encoding } = file;
  const { name } = address;
  if (isByLine(address) || !name) return spotsOnLine(document, address);
  const outline = await outlineOf(server, address.file.path);
  return spotsNamed(document, { name, file: address.file }, { outline, encoding });
}

function isByLine({ line, name }: Address): boolean {
  return line !== undefined || !name;
}

/** Of a guess a server may say no, and the next guess be right. */
async function orRefusal(request: Promise<unknown>): Promise<unknown> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ServerFailure && error.code === 'refused') return error;
    throw error;
  }
}

/** Whether a server had nothing to say. */
function isEmptyReply(reply: unknown): boolean {
  return reply === null || reply === undefined || (Array.isArray(reply) && reply.length === 0);
}

/** Tells a refusal from whatever else a question may give. */
export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'refused';
}
