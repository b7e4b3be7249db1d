import type { Writable } from 'node:stream';
import type { Disposable, MessageWriter } from 'vscode-jsonrpc';

/**
 * Writes messages to a server's input, each at once and whole: it is on its way when `write` returns, and a server
 * wakes once for it. The library's own writer lets a turn of the event loop go by, and sends header and body apart.
 */
export function createMessageWriter(stream: Writable): MessageWriter {
  const on = <T>(event: string, listener: (value: T) => void): Disposable => {
    stream.on(event, listener);
    return { dispose: () => void stream.off(event, listener) };
  };
  return {
    onError: (listener) => on('error', (error: Error) => listener([error, undefined, undefined])),
    onClose: (listener) => on('close', () => listener()),
    write: (message) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify(message);
        const header = `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
        stream.write(header + body, (error) => (error ? reject(error) : resolve()));
      }),
    end: () => void stream.end(),
    dispose: () => {},
  };
}
