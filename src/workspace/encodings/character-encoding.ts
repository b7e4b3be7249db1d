/**
 * One way to store text as bytes, of which each character can be found again: the ground on which a change is spliced
 * into bytes whose other characters are never encoded anew.
 */
export interface CharacterEncoding {
  /** IANA name in lower case. */
  readonly name: string;
  /** Total: each byte (or pair with a lead byte) that is no character of this encoding becomes one `INVALID_MARK`. */
  decode(bytes: Uint8Array): string;
  /**
   * The byte offsets of ascending UTF-16 offsets in `decode(bytes)`, none of which may lie inside a character.
   * @throws RangeError where one does, or lies behind the end
   */
  byteOffsets(bytes: Uint8Array, text: string, offsets: readonly number[]): readonly number[];
  /** The bytes of a text, or the first character that this encoding does not have. */
  encode(text: string): EncodedText;
}

type EncodedText =
  | { readonly status: 'encoded'; readonly bytes: Uint8Array }
  | { readonly status: 'unencodable'; readonly character: string };

/** Stands in a decoded text for what is no character. It is for looking at; the bytes themselves are kept. */
export const INVALID_MARK = '\ufffd';

/** The character of a byte position: its length in bytes, and its text. */
export interface WalkedCharacter {
  readonly length: number;
  readonly text: string;
}

/** Reads the character that begins at `offset`. */
export type WalkCharacter = (bytes: Uint8Array, offset: number) => WalkedCharacter;

/** Decodes one character after the other. */
export function decodeByWalk(bytes: Uint8Array, walk: WalkCharacter): string {
  const parts: string[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const character = walk(bytes, offset);
    parts.push(character.text);
    offset += character.length;
  }
  return parts.join('');
}

/** `CharacterEncoding.byteOffsets`, one character after the other. */
export function byteOffsetsByWalk(
  bytes: Uint8Array,
  walk: WalkCharacter,
  offsets: readonly number[],
): readonly number[] {
  const found: number[] = [];
  let at = 0;
  let byteAt = 0;
  for (const offset of offsets) {
    while (at < offset && byteAt < bytes.length) {
      const character = walk(bytes, byteAt);
      at += character.text.length;
      byteAt += character.length;
    }
    if (at !== offset) throw new RangeError(`offset ${offset} is inside a character or behind the end (${at})`);
    found.push(byteAt);
  }
  return found;
}

/** The first character of a text that does not come back from its bytes. */
export function firstDifference(text: string, decoded: string): string | undefined {
  const back = [...decoded];
  return [...text].find((character, index) => character !== back[index]);
}
