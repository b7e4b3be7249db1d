import { type Refusal, refuse } from '../../broker/refusal.ts';
import { languageIdOf } from '../../workspace/document-snapshot.ts';
import { readSymbolName, type SymbolName } from '../../workspace/navigation/symbol-name.ts';
import { findNamedPath } from '../named-path.ts';
import type { ToolCall } from '../tool.ts';

/** What a caller may say of the symbol that is meant. Lines and characters are 1-based. */
export interface AddressArgs {
  readonly filePath?: string | undefined;
  readonly symbol?: string | undefined;
  readonly line?: number | undefined;
  readonly character?: number | undefined;
}

/** A file, and what in it is meant: a name, or a line and perhaps a column of it (0-based). */
export interface Address {
  readonly file: AddressedFile;
  readonly name: SymbolName | undefined;
  readonly line: number | undefined;
  readonly character: number | undefined;
}

/** A file that a caller named, found and allowed. */
export interface AddressedFile {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly shown: string;
  readonly languageId: string;
  readonly note: string | undefined;
}

/** `anywhere`: a name without a file. */
type ReadAddress =
  | { readonly status: 'in_file'; readonly address: Address }
  | { readonly status: 'anywhere'; readonly name: SymbolName }
  | Refusal;

const MAX_SHOWN = 100;
const MAX_FOUND = 200;

/** Of each root, by how they were spelled. */
const foundFiles = new WeakMap<object, Map<string, AddressedFile>>();

/** Reads which symbol is meant; looks only whether the file is there. */
export async function readAddress(args: AddressArgs, call: ToolCall): Promise<ReadAddress> {
  const meant = readMeant(args);
  if (meant.status !== 'in_file') return meant;
  const file = await findFile(meant.spelled, call);
  if ('status' in file) return file;
  return addressIn(file, meant, args);
}

/**
 * What these arguments meant when their file was last looked for: to begin with, while it is looked for again. Nothing
 * is to be told of it before {@link readAddress} has found the same.
 */
export function likelyAddress(args: AddressArgs, call: ToolCall): Address | undefined {
  const meant = readMeant(args);
  const file = meant.status === 'in_file' ? foundFiles.get(call.session.root)?.get(meant.spelled) : undefined;
  const read = file && meant.status === 'in_file' ? addressIn(file, meant, args) : undefined;
  return read?.status === 'in_file' ? read.address : undefined;
}

interface Meant {
  readonly status: 'in_file';
  readonly name: SymbolName | undefined;
  readonly spelled: string;
}

function readMeant(args: AddressArgs): Meant | Exclude<ReadAddress, { readonly status: 'in_file' }> {
  const name = args.symbol === undefined ? undefined : readSymbolName(args.symbol);
  if (args.symbol !== undefined && !name)
    return refuse(
      'invalid_arguments',
      `symbol ${JSON.stringify(args.symbol.slice(0, MAX_SHOWN))} is no name. Give name, Class/method or file#name.`,
    );
  const spelled = args.filePath ?? name?.file;
  if (spelled !== undefined) return { status: 'in_file', name, spelled };
  if (name) return { status: 'anywhere', name };
  return refuse('invalid_arguments', 'no symbol is named. Give symbol, or filePath with line.');
}

function addressIn(file: AddressedFile, { name }: Meant, args: AddressArgs): ReadAddress {
  if (!name && args.line === undefined)
    return refuse('invalid_arguments', `which symbol of ${file.shown}? Give symbol, or line (1-based).`);
  if (args.line !== undefined && args.line < 1)
    return refuse('invalid_arguments', `line ${args.line}: lines are counted from 1.`);
  const line = args.line === undefined ? undefined : args.line - 1;
  const character = args.character === undefined ? undefined : Math.max(0, args.character - 1);
  return { status: 'in_file', address: { file, name, line, character } };
}

/** The file that a caller named. */
export async function findFile(spelled: string, call: ToolCall): Promise<AddressedFile | Refusal> {
  const place = await findNamedPath(call, spelled);
  if (place.status === 'refused') return place;
  if (place.stat.kind === 'directory') return refuse('is_directory', `${place.shown} is a folder. Name a file in it.`);
  const file = { path: place.path, shown: place.shown, languageId: languageIdOf(place.path), note: place.note };
  rememberFound(call.session.root, spelled, file);
  return file;
}

function rememberFound(root: object, spelled: string, file: AddressedFile): void {
  const files = foundFiles.get(root) ?? new Map<string, AddressedFile>();
  foundFiles.set(root, files);
  files.delete(spelled);
  files.set(spelled, file);
  const [oldest] = files.keys();
  if (files.size > MAX_FOUND && oldest !== undefined) files.delete(oldest);
}
