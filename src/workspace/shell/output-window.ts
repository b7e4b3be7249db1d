/** The beginning and the end of an output, however long it is, in bounded memory. */
export interface OutputEnds {
  /** The first bytes; all of them where nothing was left out. */
  readonly head: Buffer;
  /** The last bytes; empty where nothing was left out. */
  readonly tail: Buffer;
  readonly bytes: number;
  /** Line ends, and one more for a last line without. */
  readonly lines: number;
  /** Bytes between head and tail. */
  readonly leftOut: number;
}

const HEAD = 64 * 1024;
const TAIL = 64 * 1024;
const NEWLINE = 10;

/** Takes an output as it comes and keeps its two ends. */
export class OutputWindow {
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;
  #newlines = 0;
  #endsInNewline = true;

  get bytes(): number {
    return this.#bytes;
  }

  take(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#bytes += chunk.length;
    this.#newlines += newlinesIn(chunk);
    this.#endsInNewline = chunk[chunk.length - 1] === NEWLINE;
    const own = Math.min(chunk.length, HEAD - this.#headBytes);
    if (own > 0) {
      this.#head.push(Buffer.from(chunk.subarray(0, own)));
      this.#headBytes += own;
    }
    if (own === chunk.length) return;
    this.#tail.push(own === 0 ? chunk : chunk.subarray(own));
    this.#tailBytes += chunk.length - own;
    for (let first = this.#tail[0]; first && this.#tailBytes - first.length >= TAIL; first = this.#tail[0]) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }

  ends(): OutputEnds {
    const kept = Buffer.concat(this.#tail);
    const tail = kept.subarray(Math.max(0, kept.length - TAIL));
    const leftOut = this.#bytes - this.#headBytes - tail.length;
    const head = Buffer.concat(leftOut === 0 ? [...this.#head, tail] : this.#head);
    return {
      head,
      tail: leftOut === 0 ? Buffer.alloc(0) : tail,
      bytes: this.#bytes,
      lines: this.#newlines + (this.#endsInNewline ? 0 : 1),
      leftOut,
    };
  }
}

function newlinesIn(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
    count++;
    // Short lines: looking at each byte is faster than a search for each.
    if (count === 64) {
      for (at++; at < chunk.length; at++) if (chunk[at] === NEWLINE) count++;
      return count;
    }
  }
  return count;
}
