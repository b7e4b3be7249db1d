/** Which pairs of bytes an East Asian file consists of, by the rows of its character set. */
interface DoubleByteShape {
  /** Characters of more than one byte. */
  readonly characters: number;
  /** Those in the rows that common text is written in. */
  readonly common: number;
  /** Those that tell this encoding from its neighbours. */
  readonly telling: number;
}

interface Rows {
  readonly isCommon: (lead: number, trail: number) => boolean;
  readonly isTelling: (lead: number, trail: number) => boolean;
  /** The least share of telling characters, and the least number of characters, to be sure. */
  readonly tellingShare: number;
  readonly leastCharacters: number;
}

const between = (low: number, high: number) => (byte: number) => byte >= low && byte <= high;
const high = between(0xa1, 0xfe);

/** Endings and particles that no Korean sentence does without; read as Chinese they are rare characters. */
const KOREAN = new Set([
  0xc0cc, 0xb4d9, 0xb4c2, 0xc0bb, 0xb8a6, 0xb0a1, 0xbfa1, 0xc7cf, 0xc1f6, 0xc0c7, 0xb0ed, 0xb7ce, 0xb4cf,
]);

/** GB 2312 and JIS X 0208 keep the common ideographs in level 1, KS X 1001 the syllables in rows 16 to 40. */
const ROWS: Readonly<Record<string, Rows>> = {
  // Kana, then level 1. Half-width kana, which most other bytes look like, are not common.
  shift_jis: {
    isCommon: (lead, trail) => between(0x81, 0x83)(lead) || (between(0x88, 0x98)(lead) && trail !== 0),
    isTelling: (lead, trail) => (lead === 0x82 && between(0x9f, 0xf1)(trail)) || lead === 0x83,
    tellingShare: 0.15,
    leastCharacters: 4,
  },
  'euc-jp': {
    isCommon: (lead) => between(0xa1, 0xa5)(lead) || between(0xb0, 0xcf)(lead),
    isTelling: (lead, trail) => (lead === 0xa4 && between(0xa1, 0xf3)(trail)) || lead === 0xa5,
    tellingShare: 0.2,
    leastCharacters: 8,
  },
  // Rows behind those that Korean syllables fill.
  gbk: {
    isCommon: (lead, trail) => (between(0xa1, 0xa3)(lead) || between(0xb0, 0xd7)(lead)) && high(trail),
    isTelling: (lead) => between(0xc9, 0xd7)(lead),
    tellingShare: 0.15,
    leastCharacters: 8,
  },
  'euc-kr': {
    isCommon: (lead, trail) => (between(0xa1, 0xa3)(lead) || between(0xb0, 0xc8)(lead)) && high(trail),
    isTelling: (lead, trail) => KOREAN.has(lead * 256 + trail),
    tellingShare: 0.12,
    leastCharacters: 8,
  },
  big5: {
    isCommon: (lead) => between(0xa1, 0xc6)(lead),
    isTelling: (lead, trail) => between(0xa4, 0xc6)(lead) && between(0x40, 0x7e)(trail),
    tellingShare: 0.2,
    leastCharacters: 12,
  },
};

const COMMON_SHARE = 0.9;

/** The encodings whose shape is known, by the names that decoders have for them. */
export const DOUBLE_BYTE_ENCODINGS: readonly string[] = Object.keys(ROWS);

/**
 * Whether bytes that an encoding reads without fault are what text in it looks like. `lengthAt` tells how long the
 * character at an offset is.
 */
export function looksLikeDoubleByte(
  name: string,
  bytes: Uint8Array,
  lengthAt: (bytes: Uint8Array, offset: number) => number,
): boolean {
  const rows = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
  if (!rows) return false;
  const { characters, common, telling } = shapeOf(rows, bytes, lengthAt);
  return (
    characters >= rows.leastCharacters &&
    common >= characters * COMMON_SHARE &&
    telling >= characters * rows.tellingShare
  );
}

function shapeOf(
  rows: Rows,
  bytes: Uint8Array,
  lengthAt: (bytes: Uint8Array, offset: number) => number,
): DoubleByteShape {
  let [characters, common, telling] = [0, 0, 0];
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lengthAt(bytes, at);
    if (lead >= 0x80) {
      characters += 1;
      const trail = length === 2 ? (bytes[at + 1] ?? 0) : 0;
      if (length === 2 && rows.isCommon(lead, trail)) common += 1;
      if (length === 2 && rows.isTelling(lead, trail)) telling += 1;
    }
    at += length;
  }
  return { characters, common, telling };
}
