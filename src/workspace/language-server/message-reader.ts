import type { Readable } from 'node:stream';
import type { Disposable, Message, MessageReader } from 'vscode-jsonrpc';
import { MessageFrames } from './message-frames.ts';

/**
 * Reads messages from a server's output, each as soon as it has come. The library's own reader ends at the first line
 * that does not belong there. After an error nothing more is read: the place in the stream is lost.
 */
export function createMessageReader(stream: Readable): MessageReader {
  const frames = new MessageFrames();
  const errorListeners = new Set<(error: Error) => void>();
  let onData: ((chunk: Buffer) => void) | undefined;

  const stop = (): void => {
    if (onData) stream.off('data', onData);
    onData = undefined;
  };
  const fail = (error: Error): void => {
    stop();
    for (const tell of errorListeners) tell(error);
  };
  stream.on('error', fail);
  return {
    onError: (listener) => {
      errorListeners.add(listener);
      return { dispose: () => void errorListeners.delete(listener) };
    },
    onClose: (listener) => {
      const tell = (): void => listener();
      stream.on('close', tell);
      return { dispose: () => void stream.off('close', tell) };
    },
    onPartialMessage: (): Disposable => ({ dispose: () => {} }),
    listen: (callback) => {
      onData = (chunk) => {
        try {
          for (const body of frames.take(chunk)) callback(JSON.parse(body.toString()) as Message);
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)));
        }
      };
      stream.on('data', onData);
      return { dispose: stop };
    },
    dispose: stop,
  };
}
