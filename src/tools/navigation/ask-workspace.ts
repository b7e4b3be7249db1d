import { type Refusal, refuse } from '../../broker/refusal.ts';
import type { Reply } from '../../diagnostics/question.ts';
import { languageIdOf } from '../../workspace/document-snapshot.ts';
import { readServerSymbols, type ServerSymbol } from '../../workspace/navigation/read-places.ts';
import { namesInServerName, type SymbolName, shownName } from '../../workspace/navigation/symbol-name.ts';
import { findRipgrep } from '../../workspace/search/ripgrep.ts';
import { runRipgrep } from '../../workspace/search/ripgrep-run.ts';
import { pathOfUri } from '../../workspace/uri.ts';
import { shownPath } from '../named-path.ts';
import type { ToolCall } from '../tool.ts';
import { type Address, type AddressedFile, findFile } from './address.ts';
import { askFile, isRefusal, type OpenFile } from './ask-at.ts';

/** What one server found in its workspace. */
export interface FoundSymbols extends OpenFile {
  readonly symbols: readonly ServerSymbol[];
}

const LIST_MS = 2000;
const MAX_LIST_BYTES = 4 << 20;
const MAX_LANGUAGES = 6;

/**
 * Asks the servers of a root for symbols by name: those that run, and where they know none, or none runs, one for each
 * other language that has files.
 */
export async function askWorkspace(
  call: ToolCall,
  query: string,
  file: AddressedFile | undefined,
): Promise<readonly Reply<FoundSymbols | Refusal>[]> {
  const ask = (paths: readonly string[]) => Promise.all(paths.map((path) => askBy(call, query, addressed(call, path))));
  if (file) return [await askBy(call, query, file)];
  const running = await call.session.root.diagnostics.runningServers();
  const served = running.filter(({ documents }) => documents.paths().length > 0);
  const first = await ask(served.flatMap(({ documents }) => documents.paths().slice(-1)));
  if (first.some(hasSymbols)) return toldOf(first);
  const languages = new Set(served.flatMap(({ resolved }) => resolved.definition.languages));
  const others = (await onePerLanguage(call)).filter((path) => !languages.has(languageIdOf(path)));
  return toldOf([...first, ...(await ask(others))]);
}

function toldOf(replies: readonly Reply<FoundSymbols | Refusal>[]): readonly Reply<FoundSymbols | Refusal>[] {
  const told = replies.filter(({ status }) => status !== 'none');
  return told.length > 0 ? told : replies.slice(0, 1);
}

function hasSymbols(reply: Reply<FoundSymbols | Refusal>): boolean {
  return reply.status === 'answered' && !isRefusal(reply.answer) && reply.answer.symbols.length > 0;
}

function askBy(call: ToolCall, query: string, file: AddressedFile): Promise<Reply<FoundSymbols | Refusal>> {
  return askFile<FoundSymbols>(call, file, {
    needs: 'workspaceSymbolProvider',
    isEmpty: ({ symbols }) => symbols.length === 0,
    async ask(open) {
      const reply = await open.server.request('workspace/symbol', { query });
      return { ...open, symbols: readServerSymbols(reply) };
    },
  });
}

function addressed(call: ToolCall, path: string): AddressedFile {
  return { path, shown: shownPath(call.session.root.root, path), languageId: languageIdOf(path), note: undefined };
}

/** Finds the one symbol of a name that is not said to be in any file. */
export async function findAnywhere(
  call: ToolCall,
  name: SymbolName,
): Promise<{ readonly status: 'in_file'; readonly address: Address } | Reply<Refusal>> {
  const replies = await askWorkspace(call, name.names.at(-1) ?? '', undefined);
  const all = replies.flatMap((reply) =>
    reply.status === 'answered' && !isRefusal(reply.answer)
      ? reply.answer.symbols.filter((one) => isNamed(one, name))
      : [],
  );
  const { root, confinement } = call.session.root;
  const isDenied = ({ uri }: ServerSymbol): boolean => confinement.isDenied(pathOfUri(uri) ?? '');
  const matches = all.filter((one) => !isDenied(one));
  const own = matches.filter(
    ({ uri }) => !/\/node_modules\/|\/(?:site|dist)-packages\//.test(uri) && isBelow(root, uri),
  );
  const uris = [...new Set((own.length > 0 ? own : matches).map(({ uri }) => uri))];
  const [uri] = uris;
  if (uri === undefined) return unansweredOf(replies) ?? absent(name);
  if (uris.length > 1) return ambiguous(root, name, own.length > 0 ? own : matches);
  const file = await findFile(pathOfUri(uri) ?? uri, call);
  if ('status' in file) return { status: 'answered', server: '', answer: file };
  return { status: 'in_file', address: { file, name, line: undefined, character: undefined } };
}

function unansweredOf(replies: readonly Reply<FoundSymbols | Refusal>[]): Reply<Refusal> | undefined {
  for (const reply of replies) {
    if (reply.status !== 'answered') return reply;
    if (isRefusal(reply.answer)) return { ...reply, answer: reply.answer };
  }
  return undefined;
}

function isNamed(symbol: ServerSymbol, { names }: SymbolName): boolean {
  const own = namesInServerName(symbol.name);
  if (own.at(-1) !== names.at(-1)) return false;
  const container = names.at(-2);
  const around = symbol.containerName === undefined ? [] : symbol.containerName.split(/[./:]+/);
  const known = [...around, ...own.slice(0, -1)];
  return container === undefined || known.length === 0 || known.includes(container);
}

function isBelow(root: string, uri: string): boolean {
  return pathOfUri(uri)?.startsWith(`${root}/`) ?? false;
}

function absent(name: SymbolName): Reply<Refusal> {
  const message = `no language server knows a symbol ${shownName(name)} here. Name its file (filePath), or Grep for it.`;
  return { status: 'answered', server: '', answer: refuse('not_found', message) };
}

function ambiguous(root: string, name: SymbolName, matches: readonly ServerSymbol[]): Reply<Refusal> {
  const places = matches.slice(0, 20).map(({ uri, range }) => {
    const path = pathOfUri(uri);
    const line = range === undefined ? '' : `:${range.start.line + 1}`;
    return `${path === undefined ? uri : shownPath(root, path)}${line}`;
  });
  const message = `${matches.length} symbols are ${shownName(name)}: ${places.join(', ')}. Name one as file#${shownName(name)}.`;
  return { status: 'answered', server: '', answer: refuse('ambiguous', message) };
}

async function onePerLanguage(call: ToolCall): Promise<readonly string[]> {
  const { run, root } = call.session.root;
  const found = await findRipgrep(run, root);
  if (found.status === 'missing') return [];
  let output = '';
  const args = ['--files', '-0', '-g', '!**/node_modules/**', '--', root];
  await runRipgrep(found.ripgrep, args, { cwd: root, budgetMs: LIST_MS, signal: call.signal }, (chunk) => {
    output += chunk.toString('utf8');
    return output.length < MAX_LIST_BYTES ? 'more' : 'enough';
  });
  const byLanguage = new Map<string, string>();
  for (const path of output.split('\0').slice(0, -1)) {
    // One server speaks both, with or without JSX.
    const language = languageIdOf(path).replace(/^(?:java|type)script(?:react)?$/, 'typescript');
    const known = byLanguage.get(language);
    if (language !== 'plaintext' && (known === undefined || path.length < known.length)) byLanguage.set(language, path);
  }
  return [...byLanguage.values()].slice(0, MAX_LANGUAGES);
}
