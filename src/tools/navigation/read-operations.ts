import { type Refusal, refuse } from '../../broker/refusal.ts';
import { written } from '../../diagnostics/ask-early.ts';
import type { Reply } from '../../diagnostics/question.ts';
import type { Answer } from '../answer.ts';
import type { ToolCall, ToolResult } from '../tool.ts';
import { type Address, type AddressArgs, findFile, likelyAddress, readAddress } from './address.ts';
import { answerText } from './answer-text.ts';
import { askAt, askFile, isRefusal } from './ask-at.ts';
import { askWorkspace, type FoundSymbols, findAnywhere } from './ask-workspace.ts';
import { outlineOf } from './known-outlines.ts';
import { MAX_PLACES } from './located-places.ts';
import type { ReadOperation, SymbolOperation } from './operations.ts';
import { questionAt } from './question-at.ts';
import { answeredOr, pendingText } from './reply-result.ts';
import { MAX_SYMBOLS, outlineText, symbolsText } from './symbols-text.ts';

/** What a caller gave beside the operation. */
export interface ReadArgs extends AddressArgs {
  readonly query?: string | undefined;
}

/** Who asks, and how the answer is made. */
export interface Asking {
  readonly call: ToolCall;
  readonly answer: Answer;
}

/** Runs one operation that changes nothing. */
export async function runRead(operation: ReadOperation, args: ReadArgs, asking: Asking): Promise<ToolResult> {
  switch (operation) {
    case 'documentSymbol':
      return documentSymbol(args, asking);
    case 'workspaceSymbol':
      return workspaceSymbol(args, asking);
    case 'goToDefinition':
    case 'findReferences':
    case 'goToImplementation':
    case 'typeDefinition':
    case 'hover':
    case 'prepareCallHierarchy':
    case 'incomingCalls':
    case 'outgoingCalls':
      return atSymbol(operation, args, asking);
  }
}

async function atSymbol(operation: SymbolOperation, args: ReadArgs, asking: Asking): Promise<ToolResult> {
  const { call, answer } = asking;
  const left = new Set<string>();
  const question = questionAt(operation, call, (words) => left.add(words));
  const ask = (of: Address): ReturnType<typeof askAt> => askAt(call, of, question);
  // Where the file was found before it is asked at once; what it is told of is what is found now.
  const likely = likelyAddress(args, call);
  const early = likely && ask(likely);
  early?.catch(() => {});
  if (early) await written();
  const address = await addressOf(args, asking);
  if ('result' in address) return address.result;
  const { languageId } = address.file;
  const replied = early && likely.file.path === address.file.path ? early : ask(address);
  void written().then(answer.prepare);
  const reply = await replied;
  const told = answeredOr(reply, { answer, languageId });
  if (told.status === 'over') return told.result;
  const { answer: said, server } = told;
  const { text, total } = await answerText(operation, said, { call, server, shown: address.file.shown });
  const notes = [address.file.note, said.spot.note].filter((note) => note !== undefined);
  const complete = left.size === 0 && total <= MAX_PLACES;
  return answer.ok([...notes, text, ...[...left].map((words) => `(${words})`)].join('\n'), { complete, total });
}

/** The file and symbol that are meant, found in the workspace where only a name is given. */
export async function addressOf(
  args: AddressArgs,
  { call, answer }: Asking,
): Promise<Address | { readonly result: Promise<ToolResult> }> {
  const read = await readAddress(args, call);
  if (read.status === 'refused') return { result: answer.refused(read) };
  if (read.status === 'in_file') return read.address;
  const found = await findAnywhere(call, read.name);
  if (found.status === 'in_file') return found.address;
  const told = answeredOr<never>(found, { answer, languageId: 'the files' });
  if (told.status === 'over') return { result: told.result };
  return { result: answer.refused(refuse('not_found', `no symbol ${read.name.names.join('/')}.`)) };
}

async function documentSymbol(args: ReadArgs, { call, answer }: Asking): Promise<ToolResult> {
  const spelled = args.filePath ?? args.symbol;
  if (spelled === undefined) return answer.refused(refuse('invalid_arguments', 'documentSymbol needs filePath.'));
  const file = await findFile(spelled, call);
  if ('status' in file) return answer.refused(file);
  const reply = await askFile(call, file, {
    needs: 'documentSymbolProvider',
    ask: ({ server }) => outlineOf(server, file.path),
    isEmpty: (outline) => outline.length === 0,
  });
  const told = answeredOr(reply, { answer, languageId: file.languageId });
  if (told.status === 'over') return told.result;
  const { text, total } = outlineText(told.answer, file.shown);
  const complete = total <= MAX_SYMBOLS;
  return answer.ok([file.note, text].filter((line) => line !== undefined).join('\n'), { complete, total });
}

async function workspaceSymbol(args: ReadArgs, { call, answer }: Asking): Promise<ToolResult> {
  const query = args.query ?? args.symbol;
  if (query === undefined || query.trim() === '') {
    return answer.refused(refuse('invalid_arguments', 'workspaceSymbol needs query: a name or a part of one.'));
  }
  const file = args.filePath === undefined ? undefined : await findFile(args.filePath, call);
  if (file && 'status' in file) return answer.refused(file);
  const replies = await askWorkspace(call, query, file);
  const found = replies.flatMap((reply) => (isTold(reply) ? [reply.answer] : []));
  const [first] = replies;
  if (found.length === 0) {
    if (!first) return answer.refused(refuse('unavailable', 'no file here has a language server. Use Grep.'));
    const told = answeredOr(first, { answer, languageId: file?.languageId ?? 'the files' });
    if (told.status === 'over') return told.result;
  }
  const unasked = replies.flatMap((reply) => unaskedText(reply) ?? []);
  const { text, total } = await symbolsText(call, query, found);
  // What a server that gave no answer may know is not absent.
  const shown = total === 0 && unasked.length > 0 ? [] : [text];
  const complete = unasked.length === 0 && total <= MAX_PLACES;
  return answer.ok([...shown, ...unasked].join('\n'), { complete, total });
}

/** What is said of a server that gave no answer, beside those that did. */
function unaskedText(reply: Reply<FoundSymbols | Refusal>): string | undefined {
  switch (reply.status) {
    case 'pending':
      return pendingText(reply);
    case 'unavailable':
      return `${reply.server} could not be asked: ${reply.reason.replace(/\.$/, '')}. Use Grep for its files.`;
    case 'answered':
      return isRefusal(reply.answer) ? `${reply.server}: ${reply.answer.message}` : undefined;
    case 'none':
      return undefined;
  }
}

function isTold(
  reply: Reply<FoundSymbols | Refusal>,
): reply is Extract<typeof reply, { status: 'answered' }> & { answer: FoundSymbols } {
  return reply.status === 'answered' && !isRefusal(reply.answer);
}
