import type { Position, TextDocument } from 'vscode-languageserver-textdocument';
import { type Refusal, refuse } from '../../broker/refusal.ts';
import type { OutlineSymbol } from '../../diagnostics/outline.ts';
import { type PositionEncoding, toUtf16Range } from '../../workspace/language-server/position-encoding.ts';
import { namesInServerName, type SymbolName, shownName } from '../../workspace/navigation/symbol-name.ts';
import { isOn, type Word, wordsNear, wordsOf } from '../../workspace/navigation/words-on-line.ts';
import type { Address } from './address.ts';

/** Where in a document a symbol's name stands, in UTF-16. */
export interface Spot {
  readonly offset: number;
  readonly word: string;
  /** Said to the caller, where it is not the place that was named. */
  readonly note: string | undefined;
}

/** The places that may be meant, the likeliest first; further ones only where the caller did not name the symbol. */
export type Spots = { readonly status: 'found'; readonly spots: readonly Spot[] } | Refusal;

const MAX_GUESSES = 4;

/** Finds what a line and perhaps a column mean. A name, where one is given, must stand on that line. */
export function spotsOnLine(document: TextDocument, address: Address): Spots {
  const { file, name, character } = address;
  const line = address.line ?? 0;
  if (line >= document.lineCount) {
    return refuse(
      'invalid_arguments',
      `${file.shown} has ${document.lineCount} lines, not ${line + 1}. Read it first.`,
    );
  }
  const text = lineText(document, line);
  const words = wordsNear(text, { character, name: name?.names.at(-1) });
  const shown = text.trim() === '' ? 'it is blank' : `it is ${text.trim().slice(0, 200)}`;
  if (words.length === 0)
    return refuse('not_found', `L${line + 1} of ${file.shown} has no ${name ? shownName(name) : 'symbol'}; ${shown}`);
  const start = document.offsetAt({ line, character: 0 });
  const spots = words.slice(0, name ? 1 : MAX_GUESSES).map((word, index): Spot => {
    const isMeant = character === undefined ? index === 0 : isOn(word, character);
    const named = character === undefined ? `L${line + 1}` : `${line + 1}:${character + 1}`;
    const note = isMeant ? undefined : `note: taken for ${word.text} at ${at(line, word)}, not ${named}`;
    return { offset: start + word.start, word: word.text, note };
  });
  return { status: 'found', spots };
}

/** Finds a symbol by its name among those that the document declares, else where it is first used. */
export function spotsNamed(
  document: TextDocument,
  { name, file }: { readonly name: SymbolName; readonly file: Address['file'] },
  known: { readonly outline: readonly OutlineSymbol[]; readonly encoding: PositionEncoding },
): Spots {
  const matches = matching(known.outline, name);
  const last = name.names.at(-1) ?? '';
  const [first, ...others] = matches;
  if (first && others.length === 0) {
    const offset = nameOffset(document, inUtf16(document, first.namePosition, known.encoding), last);
    return { status: 'found', spots: [{ offset, word: last, note: undefined }] };
  }
  if (first) {
    const isPlain = name.names.length === 1 && matches.some((one) => one.names.length > 1);
    const how = isPlain ? 'Name it as Class/method, or give' : 'Give';
    const places = matches.slice(0, 20).map((one) => `L${one.namePosition.line + 1} (${one.names.join('/')})`);
    return refuse(
      'ambiguous',
      `${matches.length} symbols in ${file.shown} are ${shownName(name)}: ${places.join(', ')}. ${how} line.`,
    );
  }
  const used = name.names.length === 1 ? firstUse(document, last) : undefined;
  if (!used) {
    const near = nearNames(known.outline, last);
    const hint = near.length > 0 ? `It declares ${near.join(', ')}.` : 'documentSymbol lists what it has.';
    return refuse('not_found', `${file.shown} has no ${shownName(name)}. ${hint}`);
  }
  const note = `note: ${file.shown} does not declare ${last}; taken from its first use, L${used.line + 1}`;
  return { status: 'found', spots: [{ offset: used.offset, word: last, note }] };
}

/** Where the name stands that a declaration beginning at `position` (UTF-16) declares. */
export function nameOffset(document: TextDocument, position: Position, name: string): number {
  const from = document.offsetAt(position);
  const rest = document.getText().slice(from, from + 2000);
  const word = wordsOf(rest).find(({ text }) => text === name);
  return from + (word?.start ?? 0);
}

/** A position of a server as the protocol counts by default. */
export function inUtf16(document: TextDocument, position: Position, encoding: PositionEncoding): Position {
  return toUtf16Range(document, { start: position, end: position }, encoding).start;
}

function matching(outline: readonly OutlineSymbol[], { names }: SymbolName): readonly OutlineSymbol[] {
  const own = outline.filter((symbol) => {
    const tail = symbol.names.flatMap(namesInServerName).slice(-names.length);
    return tail.length === names.length && tail.every((part, index) => part === names[index]);
  });
  return [...own, ...outline.flatMap(({ children }) => matching(children, { names, file: undefined }))];
}

function firstUse(
  document: TextDocument,
  name: string,
): { readonly offset: number; readonly line: number } | undefined {
  for (let line = 0; line < document.lineCount; line += 1) {
    const word = wordsOf(lineText(document, line)).find(({ text }) => text === name);
    if (word) return { offset: document.offsetAt({ line, character: word.start }), line };
  }
  return undefined;
}

function nearNames(outline: readonly OutlineSymbol[], name: string): readonly string[] {
  const all = outline.flatMap(function flat(symbol): string[] {
    return [symbol.names.join('/'), ...symbol.children.flatMap(flat)];
  });
  const like = name.toLowerCase();
  return all.filter((one) => one.toLowerCase().includes(like) || like.includes(one.toLowerCase())).slice(0, 8);
}

/** A line (0-based) without its ending. */
export function lineText(document: TextDocument, line: number): string {
  const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  return text.replace(/[\r\n]+$/, '');
}

function at(line: number, word: Word): string {
  return `${line + 1}:${word.start + 1}`;
}
