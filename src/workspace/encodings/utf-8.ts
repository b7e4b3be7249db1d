import { Buffer, isUtf8 } from 'node:buffer';
import {
  byteOffsetsByWalk,
  type CharacterEncoding,
  decodeByWalk,
  INVALID_MARK,
  type WalkedCharacter,
} from './character-encoding.ts';

/** UTF-8, in which bytes that are none are marked one by one. */
export const utf8: CharacterEncoding = {
  name: 'utf-8',
  decode: (bytes) => (isUtf8(bytes) ? bufferOf(bytes).toString('utf8') : decodeByWalk(bytes, walkUtf8)),
  byteOffsets(bytes, text, offsets) {
    // A mark stands for one byte and would itself take three: equal lengths mean that there is none.
    if (Buffer.byteLength(text, 'utf8') !== bytes.length) return byteOffsetsByWalk(bytes, walkUtf8, offsets);
    let at = 0;
    let byteAt = 0;
    return offsets.map((offset) => {
      if (offset > text.length || splitsPair(text, offset)) {
        throw new RangeError(`offset ${offset} is inside a character or behind the end (${text.length})`);
      }
      byteAt += Buffer.byteLength(text.slice(at, offset), 'utf8');
      at = offset;
      return byteAt;
    });
  },
  encode(text) {
    return isWellFormed(text)
      ? { status: 'encoded', bytes: Buffer.from(text, 'utf8') }
      : { status: 'unencodable', character: loneSurrogate(text) };
  },
};

/** Whether an offset lies between the two halves of a surrogate pair. */
export function splitsPair(text: string, offset: number): boolean {
  return (
    offset > 0 &&
    offset < text.length &&
    (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800 &&
    (text.charCodeAt(offset) & 0xfc00) === 0xdc00
  );
}

/** Whether every surrogate has its other half. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The first half of a surrogate pair without its other half. */
export function loneSurrogate(text: string): string {
  return [...text].find((character) => !isWellFormed(character)) ?? '';
}

/** A view of the same bytes. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** How many characters of several bytes there are, and how many bytes that are none. */
export function countUtf8(bytes: Uint8Array): { readonly multibyte: number; readonly invalid: number } {
  let multibyte = 0;
  let invalid = 0;
  for (let offset = 0; offset < bytes.length; ) {
    const length = sequenceLength(bytes, offset);
    if (length > 1) multibyte += 1;
    if (length === 0) invalid += 1;
    offset += Math.max(1, length);
  }
  return { multibyte, invalid };
}

function walkUtf8(bytes: Uint8Array, offset: number): WalkedCharacter {
  const length = sequenceLength(bytes, offset);
  if (length === 0) return { length: 1, text: INVALID_MARK };
  if (length === 1) return { length, text: String.fromCharCode(bytes[offset] ?? 0) };
  let code = (bytes[offset] ?? 0) & (0xff >> (length + 1));
  for (let index = 1; index < length; index += 1) code = (code << 6) | ((bytes[offset + index] ?? 0) & 0x3f);
  return { length, text: String.fromCodePoint(code) };
}

/** The length of the well-formed sequence (Unicode 16, table 3-7) that begins here; 0 where none does. */
function sequenceLength(bytes: Uint8Array, offset: number): 0 | 1 | 2 | 3 | 4 {
  const lead = bytes[offset] ?? 0;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (length === 0 || offset + length > bytes.length) return 0;
  const second = bytes[offset + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let index = 2; index < length; index += 1) if (((bytes[offset + index] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
