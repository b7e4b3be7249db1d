import { Buffer } from 'node:buffer';
import iconv from 'iconv-lite';
import {
  byteOffsetsByWalk,
  type CharacterEncoding,
  decodeByWalk,
  firstDifference,
  INVALID_MARK,
  type WalkCharacter,
} from './character-encoding.ts';
import { bufferOf } from './utf-8.ts';

/** An encoding of one byte a character. */
export function singleByte(name: string): CharacterEncoding {
  const table = Array.from({ length: 256 }, (_, byte) => iconv.decode(Buffer.from([byte]), name));
  return {
    name,
    decode(bytes) {
      if (name === 'iso-8859-1') return bufferOf(bytes).toString('latin1');
      const parts: string[] = [];
      for (const byte of bytes) parts.push(table[byte] ?? INVALID_MARK);
      return parts.join('');
    },
    byteOffsets(bytes, _text, offsets) {
      const beyond = offsets.find((offset) => offset > bytes.length);
      if (beyond !== undefined) throw new RangeError(`offset ${beyond} is behind the end (${bytes.length})`);
      return offsets;
    },
    encode: (text) => encodeWithIconv(name, text),
  };
}

/**
 * How many bytes the character has whose lead byte stands at `offset`, by the ranges of lead and trail bytes alone;
 * 1 where none is led.
 */
export type LeadLength = (bytes: Uint8Array, offset: number) => number;

/** An encoding whose ASCII is one byte and whose other characters have a lead byte of 0x80 or above. */
export function multiByte(name: string, leadLength: LeadLength): CharacterEncoding {
  const known = new Map<number, string>();
  const walk: WalkCharacter = (bytes, offset) => {
    const first = bytes[offset] ?? 0;
    if (first < 0x80) return { length: 1, text: String.fromCharCode(first) };
    const length = leadLength(bytes, offset);
    let key = 0;
    for (let index = 0; index < length; index += 1) key = key * 256 + (bytes[offset + index] ?? 0);
    let text = known.get(key);
    if (text === undefined) {
      text = decodeOne(name, bytes.subarray(offset, offset + length));
      known.set(key, text);
    }
    return { length, text };
  };
  return {
    name,
    decode: (bytes) => decodeByWalk(bytes, walk),
    byteOffsets: (bytes, _text, offsets) => byteOffsetsByWalk(bytes, walk, offsets),
    encode: (text) => encodeWithIconv(name, text),
  };
}

/** A character that the table lacks (a private one, say) is one mark and keeps its trail byte, which may look like ASCII. */
function decodeOne(name: string, bytes: Uint8Array): string {
  const text = iconv.decode(Buffer.from(bytes), name);
  return [...text].length === 1 ? text : INVALID_MARK;
}

function encodeWithIconv(name: string, text: string): ReturnType<CharacterEncoding['encode']> {
  const bytes = iconv.encode(text, name);
  const back = iconv.decode(bytes, name);
  if (back === text) return { status: 'encoded', bytes };
  const missing = firstDifference(text, back);
  return missing === undefined ? { status: 'encoded', bytes } : { status: 'unencodable', character: missing };
}
