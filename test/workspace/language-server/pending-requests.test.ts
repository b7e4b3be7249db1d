import { expect, test } from 'vitest';
import { ConnectionError, ConnectionErrors, ErrorCodes, ResponseError } from 'vscode-jsonrpc';
import { PendingRequests } from '../../../src/workspace/language-server/pending-requests.ts';

const METHOD = { method: 'textDocument/diagnostic', timeoutMs: 10_000 };

test.each([
  new ResponseError(ErrorCodes.MessageWriteError, 'a stream was destroyed'),
  new ResponseError(ErrorCodes.PendingResponseRejected, 'a stream was destroyed'),
  new ResponseError(ErrorCodes.ConnectionInactive, 'a stream was destroyed'),
  new ConnectionError(ConnectionErrors.Closed, 'a stream was destroyed'),
])(
  'a request that could not be sent ($code) is no answer: it fails when the process is known to have ended',
  async (failure) => {
    let end: (reason: string) => void = () => {};
    const pending = new PendingRequests(new Promise((resolve) => (end = resolve)));
    const answer = pending.wait(Promise.reject(failure), METHOD);
    await new Promise(setImmediate);
    end('its process was ended by SIGKILL');
    await expect(answer).rejects.toMatchObject({ code: 'ended', message: 'its process was ended by SIGKILL' });
  },
);

test.each([ErrorCodes.ServerNotInitialized, ErrorCodes.InternalError, -32802, 1, 0, -1])(
  'an error that the server sends (%i) is its answer',
  async (code) => {
    const pending = new PendingRequests(new Promise(() => {}));
    const answer = pending.wait(Promise.reject(new ResponseError(code, 'not now')), METHOD);
    await expect(answer).rejects.toMatchObject({ code: 'refused', rpcCode: code, message: 'not now' });
  },
);
