import type { CharacterEncoding } from './character-encoding.ts';
import { isWellFormed } from './utf-8.ts';
import { utf16be, utf16le } from './utf-16.ts';

/** More units than this need not be looked at to be sure. */
const SAMPLE_UNITS = 32 * 1024;
/** Share of letters, digits, blanks and line ends of ASCII: prose in no script does without blanks and line ends. */
const MIN_ASCII_SHARE = 0.05;

/**
 * The byte order of UTF-16 that has no mark, where its units prove it to be text: NULs on one side only, no control
 * units, no unassigned or halved characters. Samples of sound and other numbers fail that.
 */
export function utf16WithoutMark(bytes: Uint8Array): CharacterEncoding | undefined {
  if (!bytes.includes(0)) return undefined;
  return [utf16le, utf16be].find((encoding) => readsAsUtf16(bytes, encoding));
}

/** Whether bytes are text in one order of UTF-16. */
export function readsAsUtf16(bytes: Uint8Array, encoding: CharacterEncoding): boolean {
  if (!encoding.name.startsWith('utf-16') || bytes.length < 4 || bytes.length % 2 === 1) return false;
  return isText(encoding.decode(bytes.subarray(0, SAMPLE_UNITS * 2)), bytes);
}

function isText(text: string, bytes: Uint8Array): boolean {
  const cut = bytes.length > SAMPLE_UNITS * 2 ? text.slice(0, -1) : text;
  if (!isWellFormed(cut)) return false;
  let ascii = 0;
  for (const character of cut) {
    const code = character.codePointAt(0) ?? 0;
    if ((code < 0x20 && code !== 9 && code !== 10 && code !== 13 && code !== 12) || (code >= 0x7f && code < 0xa0)) {
      return false;
    }
    if (code < 0x7f) ascii += 1;
    else if (/\p{Cn}|\p{Co}/u.test(character)) return false;
  }
  return ascii >= cut.length * MIN_ASCII_SHARE;
}
