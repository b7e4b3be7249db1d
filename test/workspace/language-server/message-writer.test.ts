import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Message, StreamMessageReader } from 'vscode-jsonrpc/node';
import { createMessageWriter } from '../../../src/workspace/language-server/message-writer.ts';

const notification = (params: unknown): Message => ({ jsonrpc: '2.0', method: 'x', params }) as Message;

test('messages arrive as they were, each in one piece that has left when write returns', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), async (texts) => {
      const stream = new PassThrough();
      const pieces: unknown[] = [];
      stream.on('data', (piece) => pieces.push(piece));
      const read: Message[] = [];
      const all = new Promise<void>((resolve) => {
        new StreamMessageReader(stream).listen((message) => read.push(message) === texts.length && resolve());
      });
      const writer = createMessageWriter(stream);
      const left = texts.map((text, i) => {
        const writing = writer.write(notification([text]));
        expect(stream.readableLength + pieces.length).toBeGreaterThan(i);
        return writing;
      });
      await Promise.all([...left, all]);
      expect(read).toEqual(texts.map((text) => notification([text])));
      expect(pieces).toHaveLength(texts.length);
    }),
    { numRuns: 50 },
  );
});

test('a server that no longer reads fails the message, and says so to who listens', async () => {
  const stream = new PassThrough();
  const writer = createMessageWriter(stream);
  const told: unknown[] = [];
  writer.onError(([error]) => told.push(error.message));
  writer.onClose(() => told.push('closed'));
  stream.destroy(new Error('EPIPE'));
  await expect(writer.write(notification([]))).rejects.toThrow();
  expect(told).toEqual(['EPIPE', 'closed']);
});
