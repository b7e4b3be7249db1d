import type { Position, TextDocument } from 'vscode-languageserver-textdocument';
import type { LanguageServer } from '../workspace/language-server/language-server.ts';
import { ServerFailure } from '../workspace/language-server/server-failure.ts';
import { visibleName } from '../workspace/visible-text.ts';

const MAX_DEPTH = 100;

/** A named part of a document. Lines are 0-based, the last one is in it. */
export interface OutlineSymbol {
  /** The names from the outermost symbol to this, which is the last. */
  readonly names: readonly string[];
  /** LSP `SymbolKind`. */
  readonly kind: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Where its name stands, as this server counts. */
  readonly namePosition: Position;
  readonly children: readonly OutlineSymbol[];
}

/** A document's symbols, nested, as the server has the text now; empty where it can't say. */
export async function askOutline(server: LanguageServer, document: TextDocument): Promise<readonly OutlineSymbol[]> {
  return readOutline(await ask(server, 'textDocument/documentSymbol', { textDocument: { uri: document.uri } }));
}

/** Reads a reply to `textDocument/documentSymbol`, nested or (where a server knows no better) flat. */
export function readOutline(reply: unknown): readonly OutlineSymbol[] {
  return Array.isArray(reply) ? reply.flatMap((item) => readSymbol(item, [])) : [];
}

/** What the server shows for a symbol, its type above all; `undefined` where it shows nothing. */
export async function askHover(
  server: LanguageServer,
  document: TextDocument,
  position: Position,
): Promise<string | undefined> {
  const reply = await ask(server, 'textDocument/hover', { textDocument: { uri: document.uri }, position });
  const contents = isRecord(reply) ? reply.contents : undefined;
  return contents === undefined ? undefined : JSON.stringify(contents);
}

async function ask(server: LanguageServer, method: string, params: unknown): Promise<unknown> {
  try {
    return await server.request(method, params);
  } catch (error) {
    // A server that does not answer such requests leaves us without their help, no more.
    if (error instanceof ServerFailure && error.code === 'refused') return undefined;
    throw error;
  }
}

function readSymbol(item: unknown, outer: readonly string[]): readonly OutlineSymbol[] {
  if (!isRecord(item) || typeof item.name !== 'string' || typeof item.kind !== 'number') return [];
  const flat = isRecord(item.location) ? item.location.range : undefined;
  const range = readRange(item.range ?? flat);
  const selection = readRange(item.selectionRange ?? flat);
  if (!range || !selection) return [];
  const container =
    typeof item.containerName === 'string' && item.containerName !== '' ? [visibleName(item.containerName)] : [];
  // A key of JSON may be anything, and stand in as many others.
  const names = [...(flat === undefined ? outer : container), visibleName(item.name)];
  const children = Array.isArray(item.children) && names.length < MAX_DEPTH ? item.children : [];
  return [
    {
      names,
      kind: item.kind,
      firstLine: range.start.line,
      lastLine: range.end.line,
      namePosition: selection.start,
      children: children.flatMap((child) => readSymbol(child, names)),
    },
  ];
}

function readRange(value: unknown): { readonly start: Position; readonly end: Position } | undefined {
  if (!isRecord(value)) return undefined;
  const { start, end } = value as { readonly start?: Position; readonly end?: Position };
  return start && end ? { start, end } : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
