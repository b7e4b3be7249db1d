import { type Refusal, refuse } from '../../../broker/refusal.ts';
import { languageIdOf } from '../../../workspace/document-snapshot.ts';
import { positionAt, toUtf16Range } from '../../../workspace/language-server/position-encoding.ts';
import { readPlaces } from '../../../workspace/navigation/read-places.ts';
import { plural } from '../../../workspace/truncation.ts';
import { pathOfUri } from '../../../workspace/uri.ts';
import type { ToolCall, ToolResult } from '../../tool.ts';
import { askAt, type SymbolAt } from '../ask-at.ts';
import { type Asking, addressOf } from '../read-operations.ts';
import { answeredOr } from '../reply-result.ts';
import { withMentions } from '../with-mentions.ts';
import type { ChangeArgs } from './change-args.ts';
import { editedFiles } from './edited-files.ts';
import { landEdits } from './land-edits.ts';

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
  const reply = await askAt(call, address, {
    needs: 'renameProvider',
    guesses: 'none',
    request: (at) => askRename(call, at, newName),
  });
  const told = answeredOr(reply, { answer, languageId: address.file.languageId });
  if (told.status === 'over') return told.result;
  const { spot, encoding, reply: workspaceEdit } = told.answer;
  if (spot.word === newName) return answer.refused(refuse('identical', `${spot.word} is its name already.`));
  const edited = await editedFiles(call, workspaceEdit, { encoding, replaces: { word: spot.word, by: newName } });
  if (edited.status === 'refused') return answer.refused(edited);
  if (edited.files.length === 0) return answer.refused(nothingToRename(spot.word, told.server));
  const places = edited.files.reduce((sum, { edits }) => sum + edits.length, 0);
  const count = `${plural(places, 'place')} in ${plural(edited.files.length, 'file')}`;
  const taken = spot.note === undefined ? '' : ` (${spot.note.replace(/^note: /, '')})`;
  const note = `${spot.word} renamed to ${newName}${taken}: ${count}`;
  return landEdits(call, { files: edited.files, note }, args.dry_run ? 'plan' : 'write');
}

function nothingToRename(word: string, server: string): Refusal {
  return refuse('unavailable', `${server} renames nothing for ${word}. Name the symbol where it is declared.`);
}

async function askRename(call: ToolCall, at: SymbolAt, newName: string): Promise<unknown> {
  const declared = await declaration(call, at);
  const { server } = at.file;
  const { uri, position } = declared;
  return withMentions(
    call,
    at,
    async () => {
      const provider = server.session?.capabilities.renameProvider;
      const canPrepare = typeof provider === 'object' && provider.prepareProvider === true;
      const params = { textDocument: { uri }, position };
      // Whoever can say that this is nothing to rename says why by it.
      if (canPrepare && (await server.request('textDocument/prepareRename', params)) === null) return null;
      return server.request('textDocument/rename', { ...params, newName });
    },
    'all',
  );
}

/** Renaming what was imported would only give it another name in that file: it is renamed where it is declared. */
async function declaration(call: ToolCall, at: SymbolAt): Promise<Pick<SymbolAt, 'uri' | 'position'>> {
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
