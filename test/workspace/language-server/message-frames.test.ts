import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MessageFrames } from '../../../src/workspace/language-server/message-frames.ts';

const frame = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

function bodiesIn(text: string, chunkBytes = text.length): readonly string[] {
  const bytes = Buffer.from(text);
  const frames = new MessageFrames();
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) =>
    frames.take(bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes)),
  )
    .flat()
    .map((body) => body.toString());
}

describe('MessageFrames', () => {
  test('messages are found whole, however they are cut', () => {
    const bodies = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(bodies, fc.integer({ min: 1, max: 40 }), (texts, chunkBytes) => {
        expect(bodiesIn(texts.map(frame).join(''), chunkBytes)).toEqual(texts);
      }),
      { numRuns: 200 },
    );
  });

  test('one that has not come whole is none yet', () => {
    expect(bodiesIn(frame('{"a":1}').slice(0, -1))).toEqual([]);
  });

  test.each([
    ['a line before the first', 'Starting…\n', ''],
    ['a print that ends no line', 'loading... ', 'done '],
    ['lines that end as headers do', 'one\r\ntwo: 2\r\n\r\n', ''],
    ['a warning between two', '', '(node:1) Warning: old\n'],
    ['another header', 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n', ''],
    ['a message without anything in it', 'Content-Length: 0\r\n\r\n', 'Content-Length: 0\r\n\r\n'],
  ])('%s is dropped', (_what, before, between) => {
    const text = before + frame('{"é":1}') + between + frame('{}');
    for (const chunkBytes of [1, 7, 1000]) expect(bodiesIn(text, chunkBytes)).toEqual(['{"é":1}', '{}']);
  });

  test('an endless stray line is an error', () => {
    expect(() => bodiesIn('x'.repeat(70_000))).toThrow('70000 bytes that are no message');
  });

  test('a message that nobody could hold is an error, not memory', () => {
    expect(() => bodiesIn('Content-Length: 999999999999\r\n\r\n{')).toThrow('a message of 999999999999 bytes');
  });
});
