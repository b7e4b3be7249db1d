import type { Range } from 'vscode-languageserver-textdocument';
import type { OutlineSymbol } from '../../diagnostics/outline.ts';
import type { DocumentSnapshot } from '../../workspace/document-snapshot.ts';
import { StoreError } from '../../workspace/document-store.ts';
import type { LanguageServer } from '../../workspace/language-server/language-server.ts';
import { type PositionEncoding, toUtf16Range } from '../../workspace/language-server/position-encoding.ts';
import type { ServerPlace } from '../../workspace/navigation/read-places.ts';
import { pathOfUri } from '../../workspace/uri.ts';
import { shownPath } from '../named-path.ts';
import type { ToolCall } from '../tool.ts';
import { lineText } from './find-spots.ts';
import { enclosingIn, knownOutline } from './known-outlines.ts';
import { holderAt, seenText, sharedText } from './seen-texts.ts';

/** A place as it is shown. */
export interface LocatedPlace {
  /** Relative to the root where it lies inside. */
  readonly shown: string;
  readonly kind: 'own' | 'library' | 'outside';
  /** 0-based, UTF-16; `undefined` where the server names the file alone. */
  readonly range: Range | undefined;
  /** The line, without the blanks before it; `undefined` where the file may not be read. */
  readonly code: string | undefined;
  /** What is said beside it, what it lies in above all: `in Class/method`. */
  readonly remark: string | undefined;
}

export interface LocatedPlaces {
  /** Own files first, then by path and position; no place twice. */
  readonly places: readonly LocatedPlace[];
  /** Places in files that no tool may touch: they are counted and not named. */
  readonly denied: number;
}

/** Others' code: asked for now and then, seldom meant. */
const LIBRARY = /(?:^|\/)(?:node_modules|site-packages|dist-packages)\//;
const KIND_ORDER = ['own', 'library', 'outside'] as const;

/** Finds out what stands at the places that a server named. Files outside the root are named, not read. */
export async function locatePlaces(
  call: ToolCall,
  places: readonly ServerPlace[],
  from: { readonly server: LanguageServer; readonly encoding: PositionEncoding },
): Promise<LocatedPlaces> {
  const files = [...byUri(places)].map(([uri, own]) => locateIn(call, { uri, path: pathOfUri(uri), own }, from));
  const each = await Promise.all(files);
  return {
    places: inOrder(each.flatMap((one) => one.places)),
    denied: each.reduce((sum, one) => sum + one.denied, 0),
  };
}

async function locateIn(
  call: ToolCall,
  { uri, path, own }: { readonly uri: string; readonly path: string | undefined; readonly own: readonly ServerPlace[] },
  from: { readonly server: LanguageServer; readonly encoding: PositionEncoding },
): Promise<LocatedPlaces> {
  const { confinement, root } = call.session.root;
  if (path !== undefined && confinement.isDenied(path)) return { places: [], denied: own.length };
  const isInside = path !== undefined && confinement.allows(path);
  const snapshot = isInside ? (sharedText(call, path, from.server) ?? (await textOf(call, path))) : undefined;
  const shown = path === undefined ? uri : shownPath(root, path);
  const kind = !isInside ? 'outside' : LIBRARY.test(shown) ? 'library' : 'own';
  if (!snapshot) return { places: own.map(({ range, remark }) => bare({ shown, kind, range, remark })), denied: 0 };
  const { textDocument } = snapshot;
  const outline = knownOutline(from.server, snapshot.path, snapshot.text);
  const places = own.map(({ range, remark }): LocatedPlace => {
    if (!range) return bare({ shown, kind, range, remark });
    const exact = toUtf16Range(textDocument, range, from.encoding);
    const code = lineText(textDocument, exact.start.line).trim();
    return { shown, kind, range: exact, code, remark: remark ?? enclosingRemark(snapshot, exact, outline) };
  });
  return { places, denied: 0 };
}

function bare(place: Omit<LocatedPlace, 'code'>): LocatedPlace {
  return { ...place, code: undefined };
}

function enclosingRemark(
  snapshot: DocumentSnapshot,
  range: Range,
  outline: readonly OutlineSymbol[] | undefined,
): string | undefined {
  const { line } = range.start;
  const around = outline ? enclosingIn(outline, line) : holderAt(snapshot.textDocument, line);
  // The name of a declaration does not lie in itself.
  const isItself = around?.split('/').at(-1) === snapshot.textDocument.getText(range);
  return around === undefined || isItself ? undefined : `in ${around}`;
}

function byUri(places: readonly ServerPlace[]): ReadonlyMap<string, readonly ServerPlace[]> {
  const groups = new Map<string, ServerPlace[]>();
  for (const place of places) groups.set(place.uri, [...(groups.get(place.uri) ?? []), place]);
  return groups;
}

async function textOf(call: ToolCall, path: string): Promise<DocumentSnapshot | undefined> {
  try {
    return await seenText(call, path);
  } catch (error) {
    // The server named a file that is gone or can't be read: the place stays, without its line.
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

function inOrder(places: readonly LocatedPlace[]): readonly LocatedPlace[] {
  const seen = new Set<string>();
  const once = places.filter((place) => {
    const key = JSON.stringify([place.shown, place.range?.start]);
    return !seen.has(key) && seen.add(key);
  });
  const lineOf = ({ range }: LocatedPlace): number => range?.start.line ?? -1;
  return once.sort(
    (a, b) =>
      KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) ||
      (a.shown < b.shown ? -1 : a.shown > b.shown ? 1 : 0) ||
      lineOf(a) - lineOf(b) ||
      (a.range?.start.character ?? 0) - (b.range?.start.character ?? 0),
  );
}
