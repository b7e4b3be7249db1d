const HEADER_END = Buffer.from('\r\n\r\n');
const MAX_STRAY_BYTES = 64 * 1024;
/** A message is held whole; no honest one is near this. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

/**
 * Finds the messages in a server's output, and leaves out what does not belong there: wrappers print a line before the
 * first header, runtimes a warning between two messages.
 */
export class MessageFrames {
  /** What may be the beginning of a header. */
  #held: Buffer = Buffer.alloc(0);
  /** The body that has begun. */
  #parts: Buffer[] = [];
  #bodyLeft = 0;

  /**
   * The bodies of the messages that end in this chunk.
   * @throws Error when there is nothing but what is no message for 64 KB, or a message is too long to be held
   */
  take(chunk: Buffer): readonly Buffer[] {
    const bodies: Buffer[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#bodyLeft === 0) {
        rest = this.#readHeader(rest);
        continue;
      }
      const part = rest.subarray(0, this.#bodyLeft);
      rest = rest.subarray(part.length);
      this.#bodyLeft -= part.length;
      this.#parts.push(part);
      if (this.#bodyLeft > 0) break;
      bodies.push(this.#parts.length === 1 ? part : Buffer.concat(this.#parts));
      this.#parts = [];
    }
    return bodies;
  }

  /** What comes behind the header; nothing, while it has not come whole. */
  #readHeader(chunk: Buffer): Buffer {
    const held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const end = held.indexOf(HEADER_END);
    if (end < 0) {
      if (held.length > MAX_STRAY_BYTES) throw new Error(`${held.length} bytes that are no message`);
      this.#held = held;
      return Buffer.alloc(0);
    }
    this.#held = Buffer.alloc(0);
    const behind = end + HEADER_END.length;
    const header = held.toString('latin1', 0, behind);
    // A block without a length is no header at all; what was printed before it may not have ended its line.
    const length = Number(/^.*Content-Length: *(\d+)\r\n/is.exec(header)?.[1] ?? 0);
    if (length > MAX_MESSAGE_BYTES) throw new Error(`a message of ${length} bytes`);
    this.#bodyLeft = length;
    return held.subarray(behind);
  }
}
