import { Transform, type TransformCallback } from 'node:stream';

/** Whether the command behind a stream was started. */
type Start =
  | { readonly status: 'started' }
  /** `reason` by the other end; where that was never reached, what was said on the way. */
  | { readonly status: 'failed'; readonly reason?: string; readonly said: string };

const MAX_HELD = 64 * 1024;

/** The stderr of a command that was started under a mark, without the line that says so and what came before it. */
export class StartedStream extends Transform {
  readonly start: Promise<Start>;
  readonly #mark: string;
  #held: Buffer | undefined = Buffer.alloc(0);
  #settle: (start: Start) => void = () => undefined;

  constructor(mark: string) {
    super();
    this.#mark = mark;
    this.start = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    if (!this.#held) {
      done(null, chunk);
      return;
    }
    const held = Buffer.concat([this.#held, chunk]);
    const at = held.indexOf(`${this.#mark} `);
    const end = at < 0 ? -1 : held.indexOf('\n', at);
    if (end < 0) {
      this.#held = held.subarray(-MAX_HELD);
      done();
      return;
    }
    this.#held = undefined;
    const word = held.toString('utf8', at + this.#mark.length + 1, end);
    this.#settle(word === 'started' ? { status: 'started' } : { status: 'failed', reason: word, said: '' });
    done(null, held.subarray(end + 1));
  }

  override _flush(done: TransformCallback): void {
    this.#settle({ status: 'failed', said: (this.#held?.toString('utf8') ?? '').trim().slice(-300) });
    done();
  }
}
