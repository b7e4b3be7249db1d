import { cutAround } from '../truncation.ts';
import { visibleControls } from '../visible-text.ts';
import type { GrepEvent, GrepLineEvent } from './grep-event.ts';
import type { GrepRequest } from './search-request.ts';

/** UTF-16 units of one line that are shown. */
export const MAX_GREP_LINE = 400;
const MAX_SEEN_PATHS = 16;

/** One line of an answer. */
export interface GrepLine {
  /** 1-based. */
  readonly number: number;
  readonly isMatch: boolean;
  /** Without its line end; of a long line the stretch around the first match. */
  readonly text: string;
  /** Where a long line was cut: where the match is in it, 1-based, and how long it is. */
  readonly clip: LineClip | undefined;
}

type LineClip =
  | { readonly unit: 'character'; readonly column: number; readonly length: number }
  /** Too long to hold: bytes from the start of the line, and where the line starts in the file. */
  | { readonly unit: 'byte'; readonly column: number; readonly length: number; readonly lineOffset: number };

/** What was found in one file. */
export interface FileMatches {
  /** From the folder that was searched. */
  readonly path: string;
  readonly lines: GrepLine[];
  matchedLines: number;
  matches: number;
}

/** What of a request decides what is shown. */
type GrepShape = Pick<GrepRequest, 'mode' | 'before' | 'after' | 'limit' | 'offset' | 'maxBytes'>;

/** Collects what of a search is shown, and counts the rest. */
export class GrepCollector {
  readonly #request: GrepShape;
  readonly files: FileMatches[] = [];
  readonly stoppedAt: { readonly path: string; readonly offset: number }[] = [];
  #file: FileMatches | undefined;
  #waiting: GrepLineEvent[] = [];
  #lastShown = 0;
  #bytes = 0;
  /** Matching lines, or files where files are asked for. */
  seen = 0;
  shown = 0;
  isFull = false;
  /** Lines around a match, or of a long one, were left out, so that the answer stays bounded. */
  isContextCut = false;
  seenFiles = 0;
  /** Of the first of them. */
  readonly seenPaths: string[] = [];
  seenLines = 0;
  /** Lines of text in them: a match over several lines is one. */
  seenTextLines = 0;
  seenMatches = 0;
  searches = 0;

  constructor(request: GrepShape) {
    this.#request = request;
  }

  take(event: GrepEvent): void {
    switch (event.kind) {
      case 'begin':
        this.#begin(event.path);
        return;
      case 'match':
        this.seenLines++;
        this.seenTextLines += textLines(event);
        if (this.#request.mode === 'content') this.#match(event);
        return;
      case 'context':
        if (this.#request.mode === 'content') this.#context(event);
        return;
      case 'end':
        this.seenMatches += event.matches;
        if (this.#file) Object.assign(this.#file, { matchedLines: event.matchedLines, matches: event.matches });
        if (event.stoppedAt !== undefined) this.stoppedAt.push({ path: event.path, offset: event.stoppedAt });
        return;
      case 'summary':
        this.searches += event.searches;
    }
  }

  #begin(path: string): void {
    this.seenFiles++;
    if (this.seenPaths.length < MAX_SEEN_PATHS) this.seenPaths.push(path);
    this.#waiting = [];
    this.#lastShown = 0;
    this.#file = { path, lines: [], matchedLines: 0, matches: 0 };
    if (this.#request.mode === 'content') return;
    if (this.#claim(Buffer.byteLength(path) + 1)) this.files.push(this.#file);
  }

  #match(event: GrepLineEvent): void {
    const lines = linesOf(event);
    const isFirst = this.#file?.lines.length === 0;
    const nameBytes = isFirst ? Buffer.byteLength(event.path) + 2 : 0;
    if (!this.#claim(nameBytes + bytesOf(lines)) || !this.#file) {
      this.#waiting = [];
      return;
    }
    if (isFirst) this.files.push(this.#file);
    const [first, ...further] = lines;
    const shown = first ? [first] : [];
    this.#bytes += nameBytes + bytesOf(shown);
    for (const line of further) shown.push(...this.#fitting([line]));
    const waiting = this.#waiting.filter((line) => line.line >= event.line - this.#request.before);
    // The nearest lines are worth most.
    const before = waiting.reverse().map((line) => this.#fitting(linesOf(line)));
    this.#waiting = [];
    this.#file.lines.push(...before.reverse().flat(), ...shown);
    this.#lastShown = lines.at(-1)?.number ?? event.line;
  }

  #context(event: GrepLineEvent): void {
    const hasShown = this.#file !== undefined && this.#file.lines.length > 0;
    if (hasShown && event.line <= this.#lastShown + this.#request.after) {
      this.#file?.lines.push(...this.#fitting(linesOf(event)));
    } else if (!this.isFull && this.#request.before > 0) {
      this.#waiting = [...this.#waiting, event].slice(-this.#request.before);
    }
  }

  /** These lines, where there is room for them; once there was none there is none for others either. */
  #fitting(lines: readonly GrepLine[]): readonly GrepLine[] {
    const bytes = bytesOf(lines);
    this.isContextCut ||= this.#bytes + bytes > this.#request.maxBytes;
    if (this.isContextCut) return [];
    this.#bytes += bytes;
    return lines;
  }

  /** Counts one more, and says whether it is to be shown. */
  #claim(bytes: number): boolean {
    this.seen++;
    if (this.seen <= this.#request.offset || this.isFull) return false;
    if (this.shown >= this.#request.limit || (this.shown > 0 && this.#bytes + bytes > this.#request.maxBytes)) {
      this.isFull = true;
      return false;
    }
    this.shown++;
    if (this.#request.mode !== 'content') this.#bytes += bytes;
    return true;
  }
}

function bytesOf(lines: readonly GrepLine[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 8, 0);
}

function textLines(event: GrepLineEvent): number {
  return event.cut ? 1 : event.text.replace(/\n$/, '').split('\n').length;
}

/** A match over several lines is several lines, each with its number. */
function linesOf(event: GrepLineEvent): readonly GrepLine[] {
  const isMatch = event.kind === 'match';
  if (event.cut) {
    const column = (event.match?.start ?? 0) + 1;
    const clip = { unit: 'byte', column, length: event.cut.bytes, lineOffset: event.cut.offset } as const;
    const text = `${visibleControls(event.text.slice(0, MAX_GREP_LINE))}…`;
    return [{ number: event.line, isMatch, text, clip: { ...clip } }];
  }
  const texts = event.text.replace(/\r?\n$/, '').split(/\r?\n/);
  const span = matchSpan(event);
  return texts.map((text, index) => {
    const own = index === 0 ? span : { start: 0, end: 0 };
    const cut = cutAround(text, own, MAX_GREP_LINE);
    const clip = { unit: 'character', column: own.start + 1, length: text.length } as const;
    return { number: event.line + index, isMatch, text: visibleControls(cut.text), clip: cut.isCut ? clip : undefined };
  });
}

/** The match in UTF-16 offsets of the text. */
function matchSpan(event: GrepLineEvent): { readonly start: number; readonly end: number } {
  if (!event.match || event.text.length <= MAX_GREP_LINE) return { start: 0, end: 0 };
  const bytes = Buffer.from(event.text);
  const start = bytes.subarray(0, event.match.start).toString().length;
  return { start, end: start + bytes.subarray(event.match.start, event.match.end).toString().length };
}
