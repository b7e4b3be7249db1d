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
  /** 0-based, UTF-16 where there is code, else in the server's units; `undefined` where it names the file alone. */
  readonly range: Range | undefined;
  /** The line, without the blanks before it; `undefined` where the file was not to be read. */
  readonly code: string | undefined;
  /** What is said beside it, what it lies in above all: `in Class/method`. */
  readonly remark: string | undefined;
}

/** The places of one answer, as a reader is shown them. */
export interface LocatedPlaces {
  /** Own files first, then by path and position; no place twice. */
  readonly places: readonly LocatedPlace[];
  /** Places in files that no tool may touch: they are counted and not named. */
  readonly denied: number;
}

/** Others' code: asked for now and then, seldom meant. */
const LIBRARY = /(?:^|\/)(?:node_modules|site-packages|dist-packages)\//;

const KIND_ORDER = ['own', 'library', 'outside'] as const;

/** Who named the places, and in which units it counts. */
interface NamedBy {
  readonly server: LanguageServer;
  readonly encoding: PositionEncoding;
}

/** So many places are shown: only their files are read, of a name that is used everywhere too. */
export const MAX_PLACES = 100;

/**
 * Finds out what stands at the places that a server named; of those that are not shown, only which they are. Files
 * outside the root are named, not read.
 */
export async function locatePlaces(
  call: ToolCall,
  places: readonly ServerPlace[],
  from: NamedBy,
): Promise<LocatedPlaces> {
  const named = places.map((place): NamedPlace => ({ place, file: fileNamed(call, place.uri) }));
  const open = named.filter(({ file }) => !file.isDenied);
  const ordered = inOrder(open);
  const read = new Set(ordered.slice(0, MAX_PLACES).map(({ file }) => file));
  const texts = await readFiles(call, [...read], from);
  return {
    places: ordered.map((one) => locate(one, texts.get(one.file), from)),
    denied: named.length - open.length,
  };
}

interface NamedFile {
  readonly path: string | undefined;
  readonly shown: string;
  readonly kind: LocatedPlace['kind'];
  readonly isDenied: boolean;
}

interface NamedPlace {
  readonly place: ServerPlace;
  readonly file: NamedFile;
}

interface ReadFile {
  readonly snapshot: DocumentSnapshot;
  readonly outline: readonly OutlineSymbol[] | undefined;
}

const MAX_NAMES = 1000;
/** Of each boundary, by uri: a name and where it lies are told by the uri alone. */
const names = new WeakMap<object, Map<string, NamedFile>>();

function fileNamed(call: ToolCall, uri: string): NamedFile {
  const { confinement } = call.session.root;
  const known = names.get(confinement) ?? new Map<string, NamedFile>();
  names.set(confinement, known);
  const before = known.get(uri);
  if (before) return before;
  const file = nameFile(call, uri);
  if (known.size >= MAX_NAMES) known.clear();
  known.set(uri, file);
  return file;
}

function nameFile(call: ToolCall, uri: string): NamedFile {
  const { confinement, root } = call.session.root;
  const path = pathOfUri(uri);
  if (path === undefined) return { path, shown: uri, kind: 'outside', isDenied: false };
  const shown = shownPath(root, path);
  const isInside = confinement.allows(path);
  const kind = !isInside ? 'outside' : LIBRARY.test(shown) ? 'library' : 'own';
  return { path, shown, kind, isDenied: confinement.isDenied(path) };
}

async function readFiles(
  call: ToolCall,
  files: readonly NamedFile[],
  from: NamedBy,
): Promise<ReadonlyMap<NamedFile, ReadFile>> {
  const texts = new Map<NamedFile, ReadFile>();
  const tell = (file: NamedFile, snapshot: DocumentSnapshot, text = snapshot.text): void => {
    texts.set(file, { snapshot, outline: knownOutline(from.server, snapshot.path, text) });
  };
  const others: Promise<void>[] = [];
  for (const file of files) {
    const { path, kind } = file;
    if (path === undefined || kind === 'outside') continue;
    const shared = sharedText(call, path, from.server);
    // The server's own string: others that are alike take longer to compare, the longer they are.
    if (shared) tell(file, shared, from.server.documents.get(path)?.getText());
    else others.push(textOf(call, path).then((snapshot) => snapshot && tell(file, snapshot)));
  }
  if (others.length > 0) await Promise.all(others);
  return texts;
}

function locate({ place, file }: NamedPlace, read: ReadFile | undefined, { encoding }: NamedBy): LocatedPlace {
  const { shown, kind } = file;
  const { range, remark } = place;
  if (!read || !range) return { shown, kind, range, code: undefined, remark };
  const { snapshot, outline } = read;
  const exact = toUtf16Range(snapshot.textDocument, range, encoding);
  const code = lineText(snapshot.textDocument, exact.start.line).trim();
  return { shown, kind, range: exact, code, remark: remark ?? enclosingRemark(snapshot, exact, outline) };
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

async function textOf(call: ToolCall, path: string): Promise<DocumentSnapshot | undefined> {
  try {
    return await seenText(call, path);
  } catch (error) {
    // The server named a file that is gone or can't be read: the place stays, without its line.
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}

/** Own files first, then by path and position; no place twice. */
function inOrder(places: readonly NamedPlace[]): readonly NamedPlace[] {
  if (places.length < 2) return places;
  const seen = new Set<string>();
  const once = places.filter(({ place, file }) => {
    const key = `${file.shown}\0${place.range?.start.line}:${place.range?.start.character}`;
    return !seen.has(key) && seen.add(key);
  });
  const lineOf = ({ place }: NamedPlace): number => place.range?.start.line ?? -1;
  return once.sort(
    (a, b) =>
      KIND_ORDER.indexOf(a.file.kind) - KIND_ORDER.indexOf(b.file.kind) ||
      (a.file.shown < b.file.shown ? -1 : a.file.shown > b.file.shown ? 1 : 0) ||
      lineOf(a) - lineOf(b) ||
      (a.place.range?.start.character ?? 0) - (b.place.range?.start.character ?? 0),
  );
}
