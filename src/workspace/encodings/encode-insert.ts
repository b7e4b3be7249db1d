import { Buffer } from 'node:buffer';
import { type CharacterEncoding, INVALID_MARK } from './character-encoding.ts';
import { isWellFormed } from './utf-8.ts';

/** Text that takes the place of a stretch of a decoded file. */
interface Insert {
  readonly newText: string;
  /** The text that it replaces, and the bytes behind each `INVALID_MARK` in it. */
  readonly markedBytes: readonly Uint8Array[];
  /** Whether the file has bytes that are no characters, so that a mark may be one of them. */
  readonly fileHasInvalid: boolean;
}

type EncodedInsert =
  | { readonly status: 'encoded'; readonly bytes: Uint8Array }
  | { readonly status: 'refused'; readonly message: string };

/**
 * The bytes of new text. A mark that stands for bytes which are no characters is put back as those bytes, where the
 * new text has as many marks as the old; marks are never written in their place.
 */
export function encodeInsert(encoding: CharacterEncoding, insert: Insert): EncodedInsert {
  const pieces = insert.newText.split(INVALID_MARK);
  if (!insert.fileHasInvalid || pieces.length === 1) return encodePiece(encoding, insert.newText);
  if (pieces.length - 1 !== insert.markedBytes.length) {
    return {
      status: 'refused',
      message:
        `the new text has ${pieces.length - 1} replacement characters (U+FFFD) where the old has ${insert.markedBytes.length}. ` +
        'They stand for bytes that are no text: keep them all, or leave their line out of the edit',
    };
  }
  const parts: Uint8Array[] = [];
  for (const [index, piece] of pieces.entries()) {
    const encoded = encodePiece(encoding, piece);
    if (encoded.status === 'refused') return encoded;
    parts.push(encoded.bytes, insert.markedBytes[index] ?? Buffer.alloc(0));
  }
  return { status: 'encoded', bytes: Buffer.concat(parts) };
}

function encodePiece(encoding: CharacterEncoding, text: string): EncodedInsert {
  const encoded = encoding.encode(text);
  return encoded.status === 'encoded'
    ? encoded
    : {
        status: 'refused',
        message: `its encoding is ${encoding.name}, which has no ${nameCharacter(encoded.character)}. Write it another way`,
      };
}

/** A character with its code point: `"é" (U+00E9)`. */
function nameCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return isWellFormed(character) ? `"${character}" (U+${code})` : `lone surrogate (U+${code})`;
}
