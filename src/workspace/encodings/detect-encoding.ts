import { isUtf8 } from 'node:buffer';
import { readByteOrderMark } from './byte-order-mark.ts';
import type { CharacterEncoding } from './character-encoding.ts';
import { findEncoding } from './find-encoding.ts';
import { looksBinary } from './looks-binary.ts';
import { isClean, recogniseEncoding } from './recognise-encoding.ts';
import { bufferOf, countUtf8, utf8 } from './utf-8.ts';
import { readsAsUtf16, utf16WithoutMark } from './utf-16-without-mark.ts';

/** What is known of the encoding of a file besides its bytes. */
export interface EncodingHints {
  /** What configuration says, as `.editorconfig` spells it. */
  readonly charset?: string;
}

type DetectedEncoding =
  | {
      readonly status: 'found';
      readonly encoding: CharacterEncoding;
      readonly bomBytes: number;
      /** Good enough to look at; new text goes in only where it is ASCII. */
      readonly isGuess: boolean;
    }
  | { readonly status: 'binary' }
  | { readonly status: 'encoding'; readonly message: string };

/** How a file's bytes are text: by its mark, by being UTF-8, by configuration, by detection, else as a guess. */
export function detectEncoding(bytes: Uint8Array, hints: EncodingHints): DetectedEncoding {
  const mark = readByteOrderMark(bytes);
  if (mark) return byMark(bytes, mark.encoding, mark.bytes.length);
  const explicit = hints.charset === undefined ? undefined : findEncoding(hints.charset);
  if (explicit && readsAsUtf16(bytes, explicit)) return certain(explicit);
  if (isUtf8(bytes)) return asUtf8(bytes, explicit);
  const wide = utf16WithoutMark(bytes);
  if (wide) return certain(wide);
  if (looksBinary(bytes)) return { status: 'binary' };
  if (explicit && explicit !== utf8 && isClean(bytes, explicit)) return certain(explicit);
  const { multibyte, invalid } = countUtf8(bytes);
  if (multibyte >= invalid) {
    return { status: 'found', encoding: utf8, bomBytes: 0, isGuess: multibyte < Math.max(4, invalid * 4) };
  }
  return { status: 'found', ...recogniseEncoding(bytes), bomBytes: 0 };
}

function byMark(bytes: Uint8Array, name: string, bomBytes: number): DetectedEncoding {
  const encoding = findEncoding(name);
  if (!encoding) return { status: 'encoding', message: `its encoding is ${name}. Convert it to UTF-8 first` };
  if (name.startsWith('utf-16') && bytes.length % 2 === 1) {
    return { status: 'encoding', message: `it begins as ${name} but has an odd number of bytes (${bytes.length})` };
  }
  return { status: 'found', encoding, bomBytes, isGuess: false };
}

/** Plain ASCII is what the configuration says; other UTF-8 under another name is read as what it is, and not trusted. */
function asUtf8(bytes: Uint8Array, explicit: CharacterEncoding | undefined): DetectedEncoding {
  if (bytes.includes(0)) {
    const wide = utf16WithoutMark(bytes);
    return wide ? certain(wide) : { status: 'binary' };
  }
  if (bytes.includes(0x1b) && /\x1b\$[@B(]|\x1b\([JI]/.test(bufferOf(bytes).toString('latin1'))) {
    return {
      status: 'encoding',
      message: 'its encoding is iso-2022, which switches within the text. Convert it first',
    };
  }
  if (!explicit || explicit.name.startsWith('utf-')) return certain(utf8);
  if (bytes.every((byte) => byte < 0x80)) return certain(explicit);
  return { status: 'found', encoding: utf8, bomBytes: 0, isGuess: true };
}

function certain(encoding: CharacterEncoding): DetectedEncoding {
  return { status: 'found', encoding, bomBytes: 0, isGuess: false };
}
