import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createMessageReader } from '../../../src/workspace/language-server/message-reader.ts';

const frame = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

function reading() {
  const stream = new PassThrough();
  const reader = createMessageReader(stream);
  const messages: unknown[] = [];
  const errors: string[] = [];
  reader.onError(({ message }) => errors.push(message));
  return { stream, reader, messages, errors, listen: () => reader.listen((message) => messages.push(message)) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what came before anybody listened is read', async () => {
  const { stream, messages, listen } = reading();
  stream.write(`hello\n${frame('{"jsonrpc":"2.0","method":"é"}')}`);
  await turn();
  listen();
  await turn();
  expect(messages).toEqual([{ jsonrpc: '2.0', method: 'é' }]);
});

test('a body that is no JSON is an error, and nothing is read behind it', async () => {
  const { stream, messages, errors, listen } = reading();
  listen();
  stream.write(frame('{"a":') + frame('{"a":1}'));
  await turn();
  stream.write(frame('{"a":2}'));
  await turn();
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('JSON');
  expect(messages).toEqual([]);
});

test('an error of the stream is told, and its end', async () => {
  const { stream, reader, errors, listen } = reading();
  let closed = 0;
  reader.onClose(() => closed++);
  listen();
  stream.destroy(new Error('broken'));
  await turn();
  expect({ errors, closed }).toEqual({ errors: ['broken'], closed: 1 });
});
