import type { Readable } from 'node:stream';
import { size } from '../truncation.ts';
import type { Spill } from './disk-spill.ts';
import type { OutputWindow } from './output-window.ts';

/** Outputs up to here are shown whole and need no file. */
const WITHOUT_FILE = 16 * 1024;
/** Bytes that may wait to be written; then the command waits. */
const MAX_WAITING = 1024 * 1024;

/** Hands an output to a file, once it is too long to be shown, without letting it pile up in memory. */
export class SpillFeed {
  readonly #open: () => Promise<Spill | undefined>;
  readonly #window: OutputWindow;
  #spill: Promise<Spill | undefined> | undefined;
  #opened: Spill | undefined;
  #waiting = 0;
  #due: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /** `window` has all that was taken so far. */
  constructor(open: () => Promise<Spill | undefined>, window: OutputWindow) {
    this.#open = open;
    this.#window = window;
  }

  /** The command waits for the disk. */
  get isWaiting(): boolean {
    return this.#waiting > MAX_WAITING / 2;
  }

  /** A chunk that the window has taken just before. */
  take(chunk: Buffer, from: Readable): void {
    if (!this.#spill) {
      if (this.#window.bytes > WITHOUT_FILE) this.#begin();
      return;
    }
    if (this.#opened?.limit !== undefined) return;
    this.#waiting += chunk.length;
    if (this.#waiting > MAX_WAITING) from.pause();
    this.#write(chunk, () => {
      this.#waiting -= chunk.length;
      if (this.#waiting <= MAX_WAITING / 2) from.resume();
    });
  }

  /** The file, with all of the output so far. */
  async keep(): Promise<Spill | undefined> {
    if (!this.#spill) {
      this.#begin();
      if (this.#closing) await this.#spillAndClose();
    }
    await this.#due;
    return this.#spill;
  }

  /** Ends the file; of an output that went over its cap, with the last stretch of it. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (!this.#spill) return;
    await this.#due;
    const spill = await this.#spill;
    const { tail, bytes } = this.#window.ends();
    const missing = spill?.limit === undefined ? 0 : bytes - spill.kept - tail.length;
    const mark = Buffer.from(`\n… ${size(Math.max(0, missing))} not kept: ${spill?.limit} …\n`);
    await spill?.close(spill.limit === undefined ? Buffer.alloc(0) : Buffer.concat([mark, tail]));
  }

  async #spillAndClose(): Promise<void> {
    this.#closing = this.#close();
    await this.#closing;
  }

  #begin(): void {
    const { head } = this.#window.ends();
    this.#spill = this.#open().then((spill) => {
      this.#opened = spill;
      return spill;
    });
    this.#write(head, () => undefined);
  }

  #write(bytes: Buffer, done: () => void): void {
    this.#due = this.#due.then(async () => {
      const spill = await this.#spill;
      await spill?.write(bytes);
      done();
    });
  }
}
