/**
 * A language server that can't answer: `not_started`, it could not be run or said no to `initialize`; `ended`, its
 * process is gone; `refused`, it answered one request with an error; `hung`, it did not answer in time. The message is
 * a clause that fits after "unavailable:".
 */
export class ServerFailure extends Error {
  readonly code: 'not_started' | 'ended' | 'refused' | 'hung';
  /** The JSON-RPC error code of a refused request. */
  readonly rpcCode: number | undefined;

  constructor(
    code: ServerFailure['code'],
    message: string,
    options: { readonly rpcCode?: number; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServerFailure';
    this.code = code;
    this.rpcCode = options.rpcCode;
  }
}
