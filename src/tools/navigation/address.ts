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

export interface AddressedFile {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly shown: string;
  readonly languageId: string;
  readonly note: string | undefined;
}

/** `anywhere`: a name without a file. */
export type ReadAddress =
  | { readonly status: 'in_file'; readonly address: Address }
  | { readonly status: 'anywhere'; readonly name: SymbolName }
  | Refusal;

const MAX_SHOWN = 100;

/** Reads which symbol is meant; looks only whether the file is there. */
export async function readAddress(args: AddressArgs, call: ToolCall): Promise<ReadAddress> {
  const name = args.symbol === undefined ? undefined : readSymbolName(args.symbol);
  if (args.symbol !== undefined && !name)
    return refuse(
      'invalid_arguments',
      `symbol ${JSON.stringify(args.symbol.slice(0, MAX_SHOWN))} is no name. Give name, Class/method or file#name.`,
    );
  const spelled = args.filePath ?? name?.file;
  if (spelled === undefined) {
    if (name) return { status: 'anywhere', name };
    return refuse('invalid_arguments', 'no symbol is named. Give symbol, or filePath with line.');
  }
  const file = await findFile(spelled, call);
  if ('status' in file) return file;
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
  return { path: place.path, shown: place.shown, languageId: languageIdOf(place.path), note: place.note };
}
