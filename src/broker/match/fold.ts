/** What characters count as when their form is overlooked. Both the loose index and the tokens fold by this one table. */

const LOOK_ALIKES: ReadonlyMap<number, string> = new Map([
  ...codes('‘’‚‛′ʼ', "'"),
  ...codes('“”„‟″', "'"),
  ...codes('‐‑‒–—―−﹘﹣', '-'),
  ...codes('…', '...'),
  [0x22, "'"] as const,
]);

function codes(characters: string, plain: string): readonly (readonly [number, string])[] {
  return [...characters].map((character) => [character.charCodeAt(0), plain] as const);
}

/** ASCII for a look-alike of it (quotes of all kinds as `'`, dashes, the ellipsis, full-width forms), else `undefined`. */
export function plainForm(code: number): string | undefined {
  if (code >= 0xff01 && code <= 0xff5e) {
    const ascii = code - 0xfee0;
    return LOOK_ALIKES.get(ascii) ?? String.fromCharCode(ascii);
  }
  return LOOK_ALIKES.get(code);
}

/** Blanks, line ends among them; of any width. */
export function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13);
  if (code < 0xa0) return code === 0x85;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** A line feed or a carriage return. */
export const isBreak = (code: number): boolean => code === 10 || code === 13;

/** Characters that can't be seen: soft hyphens, zero-width ones, marks of direction, byte order marks. */
export function isInvisible(code: number): boolean {
  if (code < 0xad) return false;
  return (
    code === 0xad ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2064) ||
    code === 0xfeff
  );
}

const WORD = /[\p{L}\p{N}\p{M}]/u;

/** Letters, digits, marks and `_` `$` of any script; halves of surrogate pairs count too. */
export function isWord(code: number): boolean {
  if (code < 0x80) {
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36
    );
  }
  if (isInvisible(code) || isBlank(code) || plainForm(code) !== undefined) return false;
  return (code >= 0xd800 && code <= 0xdfff) || WORD.test(String.fromCharCode(code));
}

/** How long an escape for a letter beyond ASCII is: `\\u00e9`. */
export const LETTER_ESCAPE = 6;

/** The letter that an escape at `offset` stands for, or `undefined` where there is none. */
export function escapedLetterAt(text: string, offset: number): string | undefined {
  if (text[offset] !== '\\' || text[offset + 1] !== 'u') return undefined;
  const digits = text.slice(offset + 2, offset + LETTER_ESCAPE);
  if (!/^[\da-f]{4}$/i.test(digits)) return undefined;
  const code = Number.parseInt(digits, 16);
  return code >= 128 && code < 0xd800 && isWord(code) ? String.fromCharCode(code) : undefined;
}

/** HTML entities for characters that code is full of, longest first where one begins another. */
const ENTITIES: readonly (readonly [string, string])[] = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&#x27;', "'"],
  ['&nbsp;', '\u00a0'],
];

/** The entity that starts at `offset`, with the character that it stands for. */
export function entityAt(text: string, offset: number): readonly [entity: string, character: string] | undefined {
  return ENTITIES.find(([entity]) => text.startsWith(entity, offset));
}
