import { Buffer } from 'node:buffer';
import type { CharacterEncoding } from './character-encoding.ts';
import { bufferOf, isWellFormed, loneSurrogate, splitsPair } from './utf-8.ts';

/** UTF-16, low byte first. */
export const utf16le = utf16('utf-16le', (bytes) => bytes);

/** UTF-16, high byte first. */
export const utf16be = utf16('utf-16be', (bytes) => Buffer.from(bytes).swap16());

/** One unit is two bytes, so halves of pairs that stand alone in a file survive too. The bytes must be of even number. */
function utf16(name: string, ordered: (bytes: Buffer) => Buffer): CharacterEncoding {
  return {
    name,
    decode: (bytes) => ordered(bufferOf(bytes)).toString('utf16le'),
    byteOffsets: (_bytes, text, offsets) =>
      offsets.map((offset) => {
        if (offset > text.length || splitsPair(text, offset)) {
          throw new RangeError(`offset ${offset} is inside a character or behind the end (${text.length})`);
        }
        return offset * 2;
      }),
    encode: (text) =>
      isWellFormed(text)
        ? { status: 'encoded', bytes: ordered(Buffer.from(text, 'utf16le')) }
        : { status: 'unencodable', character: loneSurrogate(text) },
  };
}
