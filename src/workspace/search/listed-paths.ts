import { decodeEscaped } from '../visible-text.ts';
import type { PathMatch } from './glob-match.ts';

/** Paths of which few are looked at: they stay the bytes that they came as, and are texts where they are asked for. */
export interface ListedPaths extends Pick<readonly string[], 'length' | 'at' | 'slice'> {
  /** The first folder of each path with `/` at its end, `./` where it lies in none, and how many lie there. */
  folders(): ReadonlyMap<string, number>;
}

interface PathListing {
  readonly paths: ListedPaths;
  /** How many were accepted, also those that are no longer kept. */
  count(): number;
  /** Takes the next bytes of a listing in which each path begins with `./` and ends with a NUL. */
  add(chunk: Buffer): void;
}

/** Whole paths as they came, and where each of those that are kept begins and ends. */
interface Piece {
  readonly bytes: Buffer;
  /** The first path of the piece is the how manieth of all. */
  readonly first: number;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Above this the paths are counted and no longer kept. */
const MAX_KEPT = 300_000;
const PREFIX = './'.length;
const SLASH = 0x2f;

/** Collects what ripgrep lists, of which those that `accepts` takes. A name that is no UTF-8 is as Grep shows it. */
export function createPathListing(accepts: PathMatch | undefined): PathListing {
  const pieces: Piece[] = [];
  let rest: readonly Buffer[] = [];
  let length = 0;
  let count = 0;

  const take = (bytes: Buffer): void => {
    const starts: number[] = [];
    const ends: number[] = [];
    for (let start = 0, end = bytes.indexOf(0); end >= 0; start = end + 1, end = bytes.indexOf(0, start)) {
      if (accepts && !accepts(textOf(bytes, start + PREFIX, end))) continue;
      count++;
      if (length + starts.length === MAX_KEPT) continue;
      starts.push(start + PREFIX);
      ends.push(end);
    }
    if (starts.length === 0) return;
    pieces.push({ bytes, first: length, starts, ends });
    length += starts.length;
  };
  return {
    count: () => count,
    add(chunk) {
      const first = chunk.indexOf(0) + 1;
      const last = chunk.lastIndexOf(0) + 1;
      if (first === 0) rest = [...rest, chunk];
      else {
        // Only the path that lies across two chunks is copied.
        if (rest.length > 0) take(Buffer.concat([...rest, chunk.subarray(0, first)]));
        take(chunk.subarray(rest.length > 0 ? first : 0, last));
        rest = last < chunk.length ? [chunk.subarray(last)] : [];
      }
    },
    paths: {
      get length() {
        return length;
      },
      at: (index) => pathsBetween(pieces, index, index + 1)[0],
      slice: (from = 0, to = length) => pathsBetween(pieces, from, to),
      folders: () => countFolders(pieces),
    },
  };
}

function textOf(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return text.includes('\ufffd') ? decodeEscaped(bytes.subarray(start, end)) : text;
}

function pathsBetween(pieces: readonly Piece[], from: number, to: number): string[] {
  return pieces.flatMap(({ bytes, first, starts, ends }) => {
    const inside = starts.slice(Math.max(0, from - first), Math.max(0, to - first));
    const skipped = Math.max(0, from - first);
    return inside.map((start, index) => textOf(bytes, start, ends[skipped + index] ?? start));
  });
}

function countFolders(pieces: readonly Piece[]): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  for (const { bytes, starts, ends } of pieces) {
    for (let index = 0; index < starts.length; index++) {
      const start = starts[index] ?? 0;
      const end = ends[index] ?? 0;
      let slash = start;
      while (slash < end && bytes[slash] !== SLASH) slash++;
      // A character a byte: cheap to make, and decoded once for each folder.
      const folder = slash < end ? bytes.toString('latin1', start, slash + 1) : './';
      files.set(folder, (files.get(folder) ?? 0) + 1);
    }
  }
  return new Map([...files].map(([folder, number]) => [decodeEscaped(Buffer.from(folder, 'latin1')), number]));
}
