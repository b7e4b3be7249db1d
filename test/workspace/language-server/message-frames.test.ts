import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MessageFrames } from '../../../src/workspace/language-server/message-frames.ts';

const frame = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

async function filtered(text: string, chunkBytes = text.length): Promise<string> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) =>
    bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
  return (await buffer(Readable.from(chunks).pipe(new MessageFrames()))).toString();
}

describe('MessageFrames', () => {
  test('whole messages go through, however they are cut', async () => {
    const bodies = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(bodies, fc.integer({ min: 1, max: 40 }), async (texts, chunkBytes) => {
        const stream = texts.map(frame).join('');
        expect(await filtered(stream, chunkBytes)).toBe(stream);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ['a line before the first', 'Starting…\n', ''],
    ['lines that end as headers do', 'one\r\ntwo: 2\r\n\r\n', ''],
    ['a warning between two', '', '(node:1) Warning: old\n'],
    ['another header', 'Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n', ''],
  ])('%s is dropped', async (_what, before, between) => {
    const [one, two] = [frame('{"é":1}'), frame('{}')];
    for (const chunkBytes of [1, 7, 1000]) {
      expect(await filtered(before + one + between + two, chunkBytes)).toBe(one + two);
    }
  });

  test('an endless stray line is an error', async () => {
    await expect(buffer(Readable.from([Buffer.alloc(70_000, 'x')]).pipe(new MessageFrames()))).rejects.toThrow(
      '70000 bytes that are no message',
    );
  });
});

test('a message that nobody could hold is an error, not memory', async () => {
  await expect(filtered('Content-Length: 999999999999\r\n\r\n{')).rejects.toThrow('a message of 999999999999 bytes');
});
