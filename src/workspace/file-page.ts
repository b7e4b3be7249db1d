import { PageBuilder, type PageRequest, type TextPage } from './text-page.ts';
import { type CutLine, characterStart, cutLine, lineCut, size } from './truncation.ts';

/** A file that is too large to hold: its size and its bytes, stretch by stretch. */
interface ByteSource {
  readonly size: number;
  read(start: number, length: number): Promise<Uint8Array>;
}

/** How the bytes of a file become text: a name that `TextDecoder` knows. */
export interface ByteForm {
  readonly encoding: string;
  /** Bytes of the byte order mark. */
  readonly skip: number;
}

const CHUNK_BYTES = 256 * 1024;
/** How far the end of a line that is shown is looked for. */
const MAX_LINE_BYTES = 1024 * 1024;
const LF = 10;
const CR = 13;

/**
 * The asked lines of a file that is not held in memory: it is read from the start to the end of the page, one chunk at
 * a time. Of a long line only the beginning is kept, and the page ends in a line whose end is too far away. `signal` is
 * looked at between chunks.
 */
export async function pageOfFile(
  source: ByteSource,
  form: ByteForm,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<TextPage> {
  const scan = new LineScan(form, request);
  let offset = form.skip;
  while (offset < source.size && !scan.isFull) {
    signal?.throwIfAborted();
    const chunk = await source.read(offset, Math.min(CHUNK_BYTES, source.size - offset));
    if (chunk.length === 0) break;
    scan.take(chunk);
    offset += chunk.length;
    if (offset < source.size) scan.endInLongLine();
  }
  return scan.finish();
}

/** The NUL bytes that a part of a file that was never written is read as. */
const HOLE = /\0+$/;

class LineScan {
  readonly #page: PageBuilder;
  readonly #request: PageRequest;
  readonly #decode: (bytes: Uint8Array) => string;
  /** Bytes of one code unit, and where in it the low byte is. */
  readonly #width: 1 | 2;
  readonly #low: 0 | 1;
  readonly #kept: Uint8Array;
  #keptBytes = 0;
  #lineBytes = 0;
  #number = 1;
  #endedInCr = false;

  constructor(form: ByteForm, request: PageRequest) {
    this.#page = new PageBuilder(request);
    this.#request = request;
    const decoder = new TextDecoder(form.encoding);
    this.#decode = (bytes) => decoder.decode(bytes);
    this.#width = form.encoding.startsWith('utf-16') ? 2 : 1;
    this.#low = form.encoding === 'utf-16be' ? 1 : 0;
    this.#kept = new Uint8Array(request.maxLineLength * 4 + 8);
  }

  get isFull(): boolean {
    return this.#page.isFull;
  }

  take(chunk: Uint8Array): void {
    const step = this.#width;
    let start = this.#endedInCr && this.#isUnit(chunk, 0, LF) ? step : 0;
    this.#endedInCr = false;
    for (let at = start; at + step <= chunk.length; at += step) {
      if (step === 1) at = lineEndFrom(chunk, at);
      const unit = chunk[at + this.#low];
      if ((unit !== LF && unit !== CR) || (step === 2 && chunk[at + 1 - this.#low] !== 0)) continue;
      this.#keep(chunk, start, at);
      this.#endLine();
      if (this.#page.isFull) return;
      if (unit === CR && this.#isUnit(chunk, at + step, LF)) at += step;
      else this.#endedInCr = unit === CR && at + step >= chunk.length;
      start = at + step;
    }
    this.#keep(chunk, start, chunk.length);
    if (this.#lineBytes > 0 && this.#page.isAtLimit) this.#page.offer(this.#number, () => this.#line());
  }

  /** A line that was taken for longer than its length is worth is the end of the page. */
  endInLongLine(): void {
    if (this.#lineBytes > MAX_LINE_BYTES)
      this.#page.close(this.#number, () => this.#line(`at least ${size(MAX_LINE_BYTES)}`));
  }

  finish(): TextPage {
    if (this.#page.isFull) return this.#page.finish(undefined);
    if (this.#lineBytes > 0) this.#endLine();
    return this.#page.finish(this.#page.isFull ? undefined : this.#number - 1);
  }

  #isUnit(chunk: Uint8Array, at: number, unit: number): boolean {
    return chunk[at + this.#low] === unit && (this.#width === 1 || chunk[at + 1 - this.#low] === 0);
  }

  #keep(chunk: Uint8Array, start: number, end: number): void {
    this.#lineBytes += end - start;
    if (this.#number < this.#request.first) return;
    const part = chunk.subarray(start, Math.min(end, start + this.#kept.length - this.#keptBytes));
    this.#kept.set(part, this.#keptBytes);
    this.#keptBytes += part.length;
  }

  #endLine(): void {
    this.#page.offer(this.#number, () => this.#line());
    this.#number++;
    this.#keptBytes = 0;
    this.#lineBytes = 0;
  }

  #line(length = size(this.#lineBytes)): CutLine {
    const { maxLineLength } = this.#request;
    const kept = this.#decode(this.#kept.subarray(0, this.#keptBytes));
    if (this.#keptBytes === this.#lineBytes) return cutLine(kept, maxLineLength);
    const shown = kept.slice(0, characterStart(kept, maxLineLength)).replace(HOLE, '');
    const hole = kept.endsWith('\0') ? ', NUL bytes from there' : '';
    return { text: `${shown}${lineCut(shown.length, `${length}${hole}`)}`, isCut: true };
  }
}

/** Most lines end within this, where a plain loop is quicker than to call `indexOf`. */
const NEAR_BYTES = 256;

/** Where the next line end of a text in bytes is, or the end of the chunk. */
function lineEndFrom(chunk: Uint8Array, start: number): number {
  const near = Math.min(chunk.length, start + NEAR_BYTES);
  let at = start;
  while (at < near) {
    const byte = chunk[at];
    if (byte === LF || byte === CR) return at;
    at++;
  }
  const lf = chunk.indexOf(LF, at);
  const cr = chunk.subarray(at, lf < 0 ? chunk.length : lf).indexOf(CR);
  return cr >= 0 ? at + cr : lf < 0 ? chunk.length : lf;
}
