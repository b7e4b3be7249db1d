import { ServerFailure } from './server-failure.ts';

/**
 * The requests that a server has not answered yet. The JSON-RPC library leaves them hanging when the process dies;
 * here they fail at that moment.
 */
export class PendingRequests {
  readonly #waiting = new Set<(failure: ServerFailure) => void>();
  #ended: string | undefined;

  constructor(ended: Promise<string>) {
    void ended.then((reason) => {
      this.#ended = reason;
      for (const reject of this.#waiting) reject(new ServerFailure('ended', reason));
      this.#waiting.clear();
    });
  }

  /**
   * The reply, if it comes before the process ends and within `timeoutMs`.
   * @throws ServerFailure `refused` (the server's own error), `ended`, `hung`
   */
  wait(reply: Promise<unknown>, options: { readonly method: string; readonly timeoutMs: number }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const fail = (failure: ServerFailure): void => {
        settle();
        reject(failure);
      };
      const timer = setTimeout(
        () => fail(new ServerFailure('hung', `it did not answer ${options.method} in ${options.timeoutMs / 1000} s`)),
        options.timeoutMs,
      );
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(fail);
      };
      this.#waiting.add(fail);
      if (this.#ended !== undefined) fail(new ServerFailure('ended', this.#ended));
      reply.then(
        (value) => {
          settle();
          resolve(value);
        },
        (cause: unknown) => {
          // A connection that breaks fails its requests a moment before the process is known to have ended.
          if (isResponseError(cause)) fail(refused(cause));
        },
      );
    });
  }
}

function refused(cause: Error & { readonly code: number }): ServerFailure {
  return new ServerFailure('refused', cause.message, { rpcCode: cause.code, cause });
}

/**
 * Whether a server said so: under any code, 1 included, as tsserver's errors come. The library's own failures to send or
 * receive are no answer; those are `ConnectionError`s, which have no `toJson`, and `ErrorCodes` -32099 to -32096.
 */
function isResponseError(error: unknown): error is Error & { readonly code: number } {
  if (!(error instanceof Error && 'toJson' in error && 'code' in error && typeof error.code === 'number')) return false;
  return !(error.code >= -32099 && error.code <= -32096);
}
