import type { Position } from 'vscode-languageserver-textdocument';
import { type Refusal, refuse } from '../../../broker/refusal.ts';
import type { OutlineSymbol } from '../../../diagnostics/outline.ts';
import { languageIdOf } from '../../../workspace/document-snapshot.ts';
import { positionAt, toUtf16Range } from '../../../workspace/language-server/position-encoding.ts';
import { ServerFailure } from '../../../workspace/language-server/server-failure.ts';
import { readPlaces } from '../../../workspace/navigation/read-places.ts';
import { namesInServerName } from '../../../workspace/navigation/symbol-name.ts';
import { wordsOf } from '../../../workspace/navigation/words-on-line.ts';
import { plural } from '../../../workspace/truncation.ts';
import { pathOfUri } from '../../../workspace/uri.ts';
import { shownPath } from '../../named-path.ts';
import type { ToolCall, ToolResult } from '../../tool.ts';
import { askAt, type SymbolAt } from '../ask-at.ts';
import { outlineOf } from '../known-outlines.ts';
import { type Asking, addressOf } from '../read-operations.ts';
import { answeredOr } from '../reply-result.ts';
import { withMentions } from '../with-mentions.ts';
import type { ChangeArgs } from './change-args.ts';
import { type EditedFile, editedFiles } from './edited-files.ts';
import { landEdits } from './land-edits.ts';
import { isReserved, takesAnyMember } from './reserved-words.ts';
import { type ServerTexts, textsOf } from './server-texts.ts';

/** Where a symbol is declared, in the server's units. */
type Declared = Pick<SymbolAt, 'uri' | 'position'>;

const MAX_NAMED = 5;
const NAME = /^#?[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;

/** Renames a symbol everywhere, from where it is declared: one change. */
export async function rename(args: ChangeArgs, asking: Asking): Promise<ToolResult> {
  const { call, answer } = asking;
  const { newName } = args;
  if (newName === undefined || !NAME.test(newName)) {
    const message = `newName ${newName === undefined ? 'is missing' : `${JSON.stringify(newName)} is no name`}. Give the symbol's new name alone.`;
    return answer.refused(refuse('invalid_arguments', message));
  }
  const address = await addressOf(args, asking);
  if ('result' in address) return address.result;
  const { languageId } = address.file;
  let texts: ServerTexts = new Map();
  let kept: string | undefined;
  const left = new Set<string>();
  const reply = await askAt(call, address, {
    needs: 'renameProvider',
    guesses: 'none',
    async request(at) {
      const declared = await declaration(call, at);
      kept = await keptWord({ word: at.word, newName, languageId }, at, declared);
      if (kept !== undefined) return {};
      return askRename(
        call,
        { at, declared, newName },
        {
          onLeft: (words) => left.add(words),
          onAnswer: () => {
            texts = textsOf(at.file.server);
          },
        },
      );
    },
  });
  const told = answeredOr(reply, { answer, languageId });
  if (told.status === 'over') return told.result;
  const { spot, encoding, document, reply: workspaceEdit } = told.answer;
  const isPrivate = document
    .getText()
    .slice(spot.offset - 1, spot.offset + 1)
    .includes('#');
  const wrong = kept ?? wrongPair({ word: spot.word, isPrivate }, newName);
  if (wrong !== undefined) return answer.refused(refuse('invalid_arguments', wrong));
  if (spot.word === newName) return answer.refused(refuse('identical', `${spot.word} is its name already.`));
  const edited = await editedFiles(call, workspaceEdit, {
    encoding,
    server: told.server,
    texts,
    replaces: { word: spot.word, by: newName },
  });
  if (edited.status === 'refused') return answer.refused(edited);
  if (edited.files.length === 0) return answer.refused(nothingToRename(spot.word, told.server));
  const places = edited.files.reduce((sum, { edits }) => sum + edits.length, 0);
  const count = `${plural(places, 'place')} in ${plural(edited.files.length, 'file')}`;
  const taken = spot.note === undefined ? '' : ` (${spot.note.replace(/^note: /, '')})`;
  const note = `${spot.word} renamed to ${newName}${taken}: ${[count, ...left].join('; ')}${usedBefore(call, edited.files, newName)}`;
  return landEdits(call, { files: edited.files, note }, args.dry_run ? 'plan' : 'write');
}

/** Why a word of the language can't be renamed, or be the new name; a member of a class or object may be called so. */
async function keptWord(
  { word, newName, languageId }: { readonly word: string; readonly newName: string; readonly languageId: string },
  { file: { server } }: SymbolAt,
  { uri, position }: Declared,
): Promise<string | undefined> {
  const [isWord, isNew] = [isReserved(word, languageId), isReserved(newName, languageId)];
  if (!isWord && !isNew) return undefined;
  const isMember = isMemberAt(await outlineOf(server, pathOfUri(uri) ?? uri), position);
  if (isMember && takesAnyMember(languageId)) return undefined;
  return isWord
    ? `${word} is a word of ${languageId}, no symbol. Give symbol with line, or the column of its name.`
    : `newName ${newName} is a word that ${languageId} keeps for itself. Give another name.`;
}

/** Whether the name at a position, in the server's units, is of something that lies in another symbol. */
function isMemberAt(outline: readonly OutlineSymbol[], { line, character }: Position): boolean {
  return outline.some(
    ({ names, namePosition, children }) =>
      (names.length > 1 && namePosition.line === line && namePosition.character === character) ||
      isMemberAt(children, { line, character }),
  );
}

/** Why the one can't become the other, whatever a server says. */
function wrongPair(
  { word, isPrivate }: { readonly word: string; readonly isPrivate: boolean },
  newName: string,
): string | undefined {
  if (isPrivate || !newName.startsWith('#')) return undefined;
  return `${word} is no private member, which alone has a # before its name. Give a name without it.`;
}

/** A name that was there before may hide the renamed symbol, or be hidden by it, without any error. */
function usedBefore(call: ToolCall, files: readonly EditedFile[], name: string): string {
  const places = files.flatMap(({ path, text = '' }) => {
    const line = text.split('\n').findIndex((one) => wordsOf(one).some((word) => word.text === name));
    return line < 0 ? [] : [`${shownPath(call.session.root.root, path)}:${line + 1}`];
  });
  if (places.length === 0) return '';
  const more = places.length > MAX_NAMED ? ` and ${places.length - MAX_NAMED} more files` : '';
  return `; ${name} was used before at ${places.slice(0, MAX_NAMED).join(', ')}${more}: look whether one hides the other`;
}

function nothingToRename(word: string, server: string): Refusal {
  return refuse('unavailable', `${server} renames nothing for ${word}. Name the symbol where it is declared.`);
}

/** `onAnswer` is called while the server has the texts that its answer is of, `onLeft` with what it leaves out. */
async function askRename(
  call: ToolCall,
  { at, declared, newName }: { readonly at: SymbolAt; readonly declared: Declared; readonly newName: string },
  { onAnswer, onLeft }: { onAnswer(): void; onLeft(words: string): void },
): Promise<unknown> {
  const { server } = at.file;
  const { uri, position } = declared;
  await refuseTaken(at, declared, newName);
  return withMentions(
    call,
    at,
    async () => {
      const provider = server.session?.capabilities.renameProvider;
      const canPrepare = typeof provider === 'object' && provider.prepareProvider === true;
      const params = { textDocument: { uri }, position };
      // Whoever can say that this is nothing to rename says why by it.
      if (canPrepare && (await server.request('textDocument/prepareRename', params)) === null) return null;
      const edit = await server.request('textDocument/rename', { ...params, newName });
      onAnswer();
      return edit;
    },
    { wanted: 'all_uses', onLeft },
  );
}

/** Two symbols of one name beside each other are one, or none: what used the one would use the other. @throws ServerFailure */
async function refuseTaken(
  { file: { server } }: SymbolAt,
  { uri, position }: Declared,
  newName: string,
): Promise<void> {
  const outline = await outlineOf(server, pathOfUri(uri) ?? uri);
  const beside = siblingsAt(outline, position);
  const taken = beside.find((one) => namesInServerName(one.names.at(-1) ?? '').at(-1) === newName);
  if (!taken) return;
  throw new ServerFailure('refused', `${newName} is declared beside it already, at L${taken.firstLine + 1}`);
}

/** The symbols of which one has its name at a position, in the server's units. */
function siblingsAt(outline: readonly OutlineSymbol[], position: Position): readonly OutlineSymbol[] {
  const isThere = ({ namePosition }: OutlineSymbol): boolean =>
    namePosition.line === position.line && namePosition.character === position.character;
  if (outline.some(isThere)) return outline.filter((one) => !isThere(one));
  for (const { children } of outline) {
    const found = siblingsAt(children, position);
    if (found.length > 0) return found;
  }
  return [];
}

/** Renaming what was imported would only give it another name in that file: it is renamed where it is declared. */
async function declaration(call: ToolCall, at: SymbolAt): Promise<Declared> {
  const { server, encoding } = at.file;
  const params = { textDocument: { uri: at.uri }, position: at.position };
  const [place, ...others] = readPlaces(await server.request('textDocument/definition', params));
  const path = place && pathOfUri(place.uri);
  if (!place?.range || others.length > 0 || path === undefined || !call.session.root.confinement.allows(path))
    return at;
  const opened = await call.session.root.documents.open(path, call.signal);
  if (opened.status !== 'open') return at;
  const { textDocument, text } = opened.document.snapshot;
  const range = toUtf16Range(textDocument, place.range, encoding);
  if (textDocument.getText(range) !== at.word) return at;
  server.sync({ path, languageId: languageIdOf(path), text });
  const position = positionAt(textDocument, textDocument.offsetAt(range.start), encoding);
  return { uri: server.documents.get(path)?.uri ?? place.uri, position };
}
