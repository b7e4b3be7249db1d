import { askOutline, type OutlineSymbol } from '../../diagnostics/outline.ts';
import type { LanguageServer } from '../../workspace/language-server/language-server.ts';

interface Known {
  readonly text: string;
  readonly outline: readonly OutlineSymbol[];
}

/** LSP `SymbolKind` of properties, fields, variables, constants. */
const VALUES: readonly number[] = [7, 8, 13, 14];
const MAX_KNOWN = 200;
const outlines = new WeakMap<LanguageServer, Map<string, Known>>();

/** The outline of a document that the server has open, asked for once for each text. @throws ServerFailure */
export async function outlineOf(server: LanguageServer, path: string): Promise<readonly OutlineSymbol[]> {
  const document = server.documents.get(path);
  if (!document) return [];
  const known = knownOutline(server, path, document.getText());
  if (known) return known;
  const outline = await askOutline(server, document);
  keep(server, path, { text: document.getText(), outline });
  return outline;
}

/** The outline of a text, where it was asked for before. */
export function knownOutline(server: LanguageServer, path: string, text: string): readonly OutlineSymbol[] | undefined {
  const known = outlines.get(server)?.get(path);
  return known?.text === text ? known.outline : undefined;
}

/** The innermost symbol around a 0-based line. */
export function symbolAround(outline: readonly OutlineSymbol[], line: number): OutlineSymbol | undefined {
  const around = outline.find((symbol) => symbol.firstLine <= line && line <= symbol.lastLine && canHold(symbol));
  return around && (symbolAround(around.children, line) ?? around);
}

/** Its name, as `Class/method`. */
export function enclosingIn(outline: readonly OutlineSymbol[], line: number): string | undefined {
  return symbolAround(outline, line)?.names.join('/');
}

/** A variable of one line holds nothing, a parameter above all; one of several may hold a function. */
function canHold({ kind, firstLine, lastLine }: OutlineSymbol): boolean {
  return !VALUES.includes(kind) || lastLine > firstLine;
}

function keep(server: LanguageServer, path: string, known: Known): void {
  const own = outlines.get(server) ?? new Map<string, Known>();
  own.delete(path);
  own.set(path, known);
  const [oldest] = own.keys();
  if (own.size > MAX_KNOWN && oldest !== undefined) own.delete(oldest);
  outlines.set(server, own);
}
