import { type CutLine, cutLine } from './truncation.ts';

/** Which lines of a text are asked for. */
export interface PageRequest {
  /** 1-based. */
  readonly first: number;
  readonly limit: number;
  /** Bytes of UTF-8 that all lines together may take; one line is given even where it alone is over. */
  readonly maxBytes: number;
  /** UTF-16 units of one line; the rest of it is cut and counted. */
  readonly maxLineLength: number;
}

/** Some lines of a text, in order, without their line ends. */
export interface TextPage {
  readonly first: number;
  readonly lines: readonly string[];
  /** How many of `lines` are cut. */
  readonly cutLines: number;
  /** Lines of the whole text; `undefined` where its end was not reached. A final newline begins no line. */
  readonly total: number | undefined;
  /** The first line after the page, where there is one; of a page with `openLine`, where there may be one. */
  readonly next: number | undefined;
  /** The last line is so long that its end was not looked for: how much of the file stands behind it is not known. */
  readonly openLine?: true;
}

/** The asked lines of a text that is in memory. Lines end with `\n`, `\r\n` or `\r`, as in the protocol. */
export function pageOfText(text: string, request: PageRequest): TextPage {
  const page = new PageBuilder(request);
  const lineEnd = /\r\n|\n|\r/g;
  let number = 0;
  let offset = 0;
  while (offset < text.length) {
    number++;
    const end = lineEnd.exec(text);
    page.offer(number, () => cutLine(text.slice(offset, end?.index ?? text.length), request.maxLineLength));
    offset = end ? lineEnd.lastIndex : text.length;
  }
  return page.finish(number);
}

/** Collects the lines of one page until it is full. */
export class PageBuilder {
  readonly #request: PageRequest;
  readonly #lines: string[] = [];
  #bytes = 0;
  #cutLines = 0;
  #next: number | undefined;
  #openLine = false;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  get isFull(): boolean {
    return this.#next !== undefined;
  }

  /** It has as many lines as were asked for: any further one fills it. */
  get isAtLimit(): boolean {
    return this.#lines.length >= this.#request.limit;
  }

  /** Takes the line when the page wants it and has room for it. `line` is called only then. */
  offer(number: number, line: () => CutLine): void {
    if (number < this.#request.first || this.isFull) return;
    if (this.isAtLimit) {
      this.#next = number;
      return;
    }
    const { text, isCut } = line();
    const bytes = Buffer.byteLength(text) + 1;
    if (this.#lines.length > 0 && this.#bytes + bytes > this.#request.maxBytes) {
      this.#next = number;
      return;
    }
    this.#bytes += bytes;
    this.#lines.push(text);
    if (isCut) this.#cutLines++;
  }

  /** Takes the beginning of a line whose end is not looked for: where the page wants it, it is the last. */
  close(number: number, line: () => CutLine): void {
    this.offer(number, line);
    if (number < this.#request.first || this.isFull) return;
    this.#next = number + 1;
    this.#openLine = true;
  }

  finish(total: number | undefined): TextPage {
    const page = { first: this.#request.first, lines: this.#lines, cutLines: this.#cutLines, total, next: this.#next };
    return this.#openLine ? { ...page, openLine: true } : page;
  }
}
