/** One record of ripgrep's JSON. Of a long one only the parts around its text are kept. */
export type JsonLine =
  | { readonly kind: 'whole'; readonly text: string }
  | {
      readonly kind: 'long';
      /** The first stretch of the record: its type, its path, the beginning of its text. */
      readonly head: string;
      /** From `,"line_number":` on, cut where it is long too. */
      readonly tail: string;
      /** Bytes of the record up to the end of the text, less one for each that an escape has too many. */
      readonly textBytes: number;
    };

const NEWLINE = 10;
const MAX_RECORD = 1024 * 1024;
const HEAD = 16 * 1024;
const TAIL = 4 * 1024;
/** A quote inside a JSON string is escaped, so this can stand only where the text of the line has ended. */
const TEXT_END = Buffer.from('"},"line_number":');

/**
 * Splits a stream into records in bounded memory: a record of 157 MB (one long line) is dropped while it passes by,
 * but for its head and its tail.
 */
export class JsonLines {
  #parts: Buffer[] = [];
  #bytes = 0;
  #long: LongRecord | undefined;

  take(chunk: Buffer): JsonLine[] {
    const lines: JsonLine[] = [];
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start);
      this.#append(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) break;
      lines.push(this.#finish());
      start = end + 1;
    }
    return lines;
  }

  #append(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#long) {
      this.#long.take(piece);
      return;
    }
    this.#parts.push(piece);
    if (this.#bytes <= MAX_RECORD) return;
    this.#long = new LongRecord(Buffer.concat(this.#parts));
    this.#parts = [];
  }

  #finish(): JsonLine {
    const line: JsonLine = this.#long
      ? { kind: 'long', ...this.#long.ends() }
      : { kind: 'whole', text: Buffer.concat(this.#parts).toString('utf8') };
    this.#parts = [];
    this.#bytes = 0;
    this.#long = undefined;
    return line;
  }
}

class LongRecord {
  readonly #head: Buffer;
  #tail: Buffer | undefined;
  /** Of the text so far, without what escapes have too many. */
  #textBytes = 0;
  #escapes = new EscapeCount();
  /** The last bytes seen, in case the end of the text lies across two chunks. */
  #seen = Buffer.alloc(0);

  constructor(begun: Buffer) {
    // A copy, so that the large piece it was cut from can be freed.
    this.#head = Buffer.from(begun.subarray(0, HEAD));
    this.take(begun);
  }

  take(piece: Buffer): void {
    if (this.#tail) {
      if (this.#tail.length < TAIL) {
        this.#tail = Buffer.concat([this.#tail, piece.subarray(0, TAIL - this.#tail.length)]);
      }
      return;
    }
    const joined = this.#seen.length === 0 ? piece : Buffer.concat([this.#seen, piece]);
    const end = joined.indexOf(TEXT_END);
    const text = end < 0 ? piece : joined.subarray(this.#seen.length, Math.max(end, this.#seen.length));
    this.#textBytes += text.length - this.#escapes.take(text);
    // The end of the text was seen only in part before.
    if (end >= 0 && end < this.#seen.length) this.#textBytes -= this.#seen.length - end;
    if (end >= 0) this.#tail = Buffer.from(joined.subarray(end + 2, end + 2 + TAIL));
    else this.#seen = Buffer.from(joined.subarray(-TEXT_END.length));
  }

  ends(): { readonly head: string; readonly tail: string; readonly textBytes: number } {
    const head = this.#head.toString('utf8');
    return { head, tail: this.#tail?.toString('utf8') ?? '', textBytes: this.#textBytes };
  }
}

const BACKSLASH = 92;
const U = 117;

/** Counts by how much the escapes of a JSON string are longer than what they stand for, piece by piece. */
class EscapeCount {
  /** The last piece ended within an escape. */
  #isOpen = false;

  take(piece: Buffer): number {
    let more = 0;
    let at = 0;
    if (this.#isOpen && piece.length > 0) {
      more += piece[0] === U ? 5 : 1;
      at = 1;
      this.#isOpen = false;
    }
    for (at = piece.indexOf(BACKSLASH, at); at >= 0; at = piece.indexOf(BACKSLASH, at + 2)) {
      if (at + 1 === piece.length) this.#isOpen = true;
      else more += piece[at + 1] === U ? 5 : 1;
    }
    return more;
  }
}
