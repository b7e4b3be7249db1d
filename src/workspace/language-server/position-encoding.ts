import type { Position, Range, TextDocument } from 'vscode-languageserver-textdocument';

/** The unit of a `Position.character`, agreed with one server. */
export type PositionEncoding = 'utf-16' | 'utf-8' | 'utf-32';

/** A UTF-16 offset as this server counts positions. */
export function positionAt(document: TextDocument, offset: number, encoding: PositionEncoding): Position {
  const position = document.positionAt(offset);
  if (encoding === 'utf-16') return position;
  const prefix = lineText(document, position.line).slice(0, position.character);
  return { line: position.line, character: unitsOf(prefix, encoding) };
}

/** A range that this server sent, in UTF-16; a character beyond its line is the line's end. */
export function toUtf16Range(document: TextDocument, range: Range, encoding: PositionEncoding): Range {
  if (encoding === 'utf-16') return range;
  return { start: toUtf16(document, range.start, encoding), end: toUtf16(document, range.end, encoding) };
}

function toUtf16(document: TextDocument, position: Position, encoding: PositionEncoding): Position {
  let character = 0;
  let units = 0;
  for (const symbol of lineText(document, position.line)) {
    if (units >= position.character) break;
    units += unitsOf(symbol, encoding);
    character += symbol.length;
  }
  return { line: position.line, character };
}

function lineText(document: TextDocument, line: number): string {
  return document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
}

function unitsOf(text: string, encoding: PositionEncoding): number {
  return encoding === 'utf-8' ? Buffer.byteLength(text, 'utf8') : [...text].length;
}
