import { createHash } from 'node:crypto';

/**
 * A word that is put into the pipe of an output, behind all that was written by then: when it has come through, so has
 * everything before it, however slow the way is. It is taken out of the output again.
 */
export class OutputMark {
  /** No output holds it by chance. Short enough to stand in a pipe in one piece. */
  readonly bytes: Buffer;
  #isDue = false;
  #isSeen = false;
  #held = Buffer.alloc(0);

  constructor(seed: string) {
    this.bytes = Buffer.from(`\0${createHash('sha256').update(seed).digest('hex')}\0`);
  }

  get isSeen(): boolean {
    return this.#isSeen;
  }

  /** From now on it may come. */
  expect(): void {
    this.#isDue = true;
  }

  /** The output in a chunk. What may be the beginning of the mark is held until more comes. */
  take(chunk: Buffer): Buffer {
    if (!this.#isDue || this.#isSeen) return chunk;
    const bytes = Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.bytes);
    if (at >= 0) {
      this.#isSeen = true;
      this.#held = Buffer.alloc(0);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + this.bytes.length)]);
    }
    let begun = Math.min(this.bytes.length - 1, bytes.length);
    while (begun > 0 && !bytes.subarray(-begun).equals(this.bytes.subarray(0, begun))) begun--;
    this.#held = Buffer.from(bytes.subarray(bytes.length - begun));
    return bytes.subarray(0, bytes.length - begun);
  }

  /** What is still held when the output is over. */
  rest(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }
}
