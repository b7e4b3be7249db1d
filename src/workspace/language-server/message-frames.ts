import { Transform, type TransformCallback } from 'node:stream';

const HEADER_END = Buffer.from('\r\n\r\n');
const MAX_STRAY_BYTES = 64 * 1024;
/** A message is held whole; no honest one is near this. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/**
 * The messages in a server's output, without what does not belong there: wrappers print a line before the first
 * header, runtimes a warning between two messages. Errors when there is nothing but that for 64 KB.
 */
export class MessageFrames extends Transform {
  #held: Buffer = Buffer.alloc(0);
  #bodyLeft = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    while (this.#held.length > 0) {
      if (this.#bodyLeft > 0) {
        const body = this.#take(Math.min(this.#bodyLeft, this.#held.length));
        this.#bodyLeft -= body.length;
        this.push(body);
        continue;
      }
      const end = this.#held.indexOf(HEADER_END);
      if (end < 0) break;
      const header = this.#take(end + HEADER_END.length).toString('latin1');
      const length = /(?:^|\n)Content-Length: *(\d+)\r\n/i.exec(header)?.[1];
      // A block without a length is no header at all.
      if (length === undefined) continue;
      if (Number(length) > MAX_MESSAGE_BYTES) {
        done(new Error(`a message of ${length} bytes`));
        return;
      }
      this.#bodyLeft = Number(length);
      this.push(`Content-Length: ${length}\r\n\r\n`);
    }
    const isStray = this.#bodyLeft === 0 && this.#held.length > MAX_STRAY_BYTES;
    done(isStray ? new Error(`${this.#held.length} bytes that are no message`) : undefined);
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }
}
