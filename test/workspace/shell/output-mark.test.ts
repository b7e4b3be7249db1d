import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OutputMark } from '../../../src/workspace/shell/output-mark.ts';

function through(mark: OutputMark, bytes: Buffer, cuts: readonly number[]): Buffer {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const pieces = [0, ...ends].map((start, index) => bytes.subarray(start, [...ends, bytes.length][index]));
  return Buffer.concat([...pieces.map((piece) => mark.take(piece)), mark.rest()]);
}

const output = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const cuts = fc.array(fc.nat(), { maxLength: 8 });

test('a mark is taken out of the output wherever the pieces end, and nothing else is', () => {
  fc.assert(
    fc.property(output, output, cuts, (before, after, at) => {
      const mark = new OutputMark('seed');
      mark.expect();
      expect(through(mark, Buffer.concat([before, mark.bytes, after]), at)).toEqual(Buffer.concat([before, after]));
      expect(mark.isSeen).toBe(true);
    }),
  );
});

test('an output that ends within what looks like a mark is whole', () => {
  fc.assert(
    fc.property(output, fc.nat(65), cuts, (before, length, at) => {
      const mark = new OutputMark('seed');
      mark.expect();
      const bytes = Buffer.concat([before, mark.bytes.subarray(0, length)]);
      expect(through(mark, bytes, at)).toEqual(bytes);
      expect(mark.isSeen).toBe(false);
    }),
  );
});
