import type { Range } from 'vscode-languageserver-textdocument';
import { visibleName } from '../visible-text.ts';

/** A place as a server names it: its `range` counts in the server's units, and may be missing. */
export interface ServerPlace {
  readonly uri: string;
  readonly range: Range | undefined;
  /** What is said beside it: `in login`. */
  readonly remark?: string | undefined;
}

/** A symbol somewhere in the workspace, as a server names it. */
export interface ServerSymbol extends ServerPlace {
  readonly name: string;
  /** LSP `SymbolKind`. */
  readonly kind: number;
  readonly containerName: string | undefined;
  /** The item itself, to be given back to the server. */
  readonly item: unknown;
}

/** A call between two symbols: the other one, and where the call stands. */
interface ServerCall {
  readonly symbol: ServerSymbol;
  readonly ranges: readonly Range[];
}

/** Reads `Location`, `LocationLink`, lists of either, and `null`; of a link the name that it leads to. */
export function readPlaces(reply: unknown): readonly ServerPlace[] {
  return itemsOf(reply).flatMap((item): ServerPlace[] => {
    if (typeof item.targetUri === 'string') {
      return [{ uri: item.targetUri, range: readRange(item.targetSelectionRange) ?? readRange(item.targetRange) }];
    }
    return typeof item.uri === 'string' ? [{ uri: item.uri, range: readRange(item.range) }] : [];
  });
}

/** Reads `SymbolInformation`, `WorkspaceSymbol` (its range may be missing) and `CallHierarchyItem`. */
export function readServerSymbols(reply: unknown): readonly ServerSymbol[] {
  return itemsOf(reply).flatMap((item): ServerSymbol[] => {
    const place = isRecord(item.location) ? item.location : item;
    if (typeof item.name !== 'string' || typeof place.uri !== 'string') return [];
    return [
      {
        name: visibleName(item.name),
        kind: typeof item.kind === 'number' ? item.kind : 0,
        containerName:
          typeof item.containerName === 'string' && item.containerName !== ''
            ? visibleName(item.containerName)
            : undefined,
        uri: place.uri,
        range: readRange(item.selectionRange) ?? readRange(place.range),
        item,
      },
    ];
  });
}

/** Reads incoming (`from`) and outgoing (`to`) calls. */
export function readCalls(reply: unknown): readonly ServerCall[] {
  return itemsOf(reply).flatMap((item): ServerCall[] => {
    const [symbol] = readServerSymbols(item.from ?? item.to);
    const ranges = Array.isArray(item.fromRanges) ? item.fromRanges.flatMap((range) => readRange(range) ?? []) : [];
    return symbol ? [{ symbol, ranges }] : [];
  });
}

/** Reads what `textDocument/hover` shows: marked strings, markup, or lists of them; fences are taken away. */
export function readHover(reply: unknown): string {
  const contents = isRecord(reply) ? reply.contents : undefined;
  const parts = Array.isArray(contents) ? contents : [contents];
  const texts = parts.map((part) => (typeof part === 'string' ? part : isRecord(part) ? part.value : undefined));
  return texts
    .filter((text) => typeof text === 'string')
    .map((text) => text.replace(/^[ \t]*```[^\n]*\n?/gm, '').trim())
    .filter((text) => text !== '')
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** A server's `Range`, or `undefined` where it is none. */
export function readRange(value: unknown): Range | undefined {
  if (!isRecord(value)) return undefined;
  const { start, end } = value;
  return isPosition(start) && isPosition(end) ? { start, end } : undefined;
}

function isPosition(value: unknown): value is Range['start'] {
  return isRecord(value) && typeof value.line === 'number' && typeof value.character === 'number';
}

function itemsOf(reply: unknown): readonly Readonly<Record<string, unknown>>[] {
  const items = Array.isArray(reply) ? reply : [reply];
  return items.filter(isRecord);
}

/** Whether a value has members: an object, also an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
