import { entityAt, escapedLetterAt, isBlank, isInvisible, LETTER_ESCAPE, plainForm } from './fold.ts';

/**
 * A text without all that a drift of form may touch: blanks, line ends, `,` `;` and backslashes dropped, look-alikes,
 * entities and accents folded; one byte a character. What differs in form only is a plain substring here; what is
 * found here may still differ in more, so every hit is compared in full afterwards.
 */
export interface SquashIndex {
  readonly text: string;
  readonly bytes: Buffer;
  readonly lineCount: number;
  /** Of each line (0-based), and one past the last: where it starts in the text and in `bytes`. */
  readonly lineOffsets: Int32Array;
  readonly linePositions: Int32Array;
  /** A hash of each line's bytes, 0 for a line without any. */
  readonly lineHashes: Int32Array;
  /** The text offset of every 1024th byte. */
  readonly checkpoints: Int32Array;
}

const CHECKPOINT = 1024;

/** One pass over the text; about 7 ns a character. */
export function squashIndex(text: string): SquashIndex {
  const bytes = Buffer.allocUnsafe(text.length);
  const lines = new LineList();
  const checkpoints = new Int32Array(Math.floor(text.length / CHECKPOINT) + 1);
  const returns = !text.includes('\n');
  let position = 0;
  let hash = 0;
  lines.open(0, 0);
  for (let offset = 0; offset < text.length; ) {
    const code = text.charCodeAt(offset);
    if (code === 10 || (code === 13 && returns)) {
      lines.close(hash);
      hash = 0;
      offset += 1;
      lines.open(offset, position);
      continue;
    }
    const folded = code < 128 ? (ASCII[code] ?? 0) : OTHER;
    if (folded === SKIP) {
      offset += 1;
      continue;
    }
    let byte = folded;
    let length = 1;
    if (folded >= 128 && code !== DOT) {
      const special = foldSpecial(text, offset, code);
      byte = special & 0xff;
      length = special >> 8;
    }
    if (code === DOT) byte = isDot(text.charCodeAt(offset - 1)) ? SKIP : DOT;
    if (byte !== SKIP) {
      if (position % CHECKPOINT === 0) checkpoints[position / CHECKPOINT] = offset;
      bytes[position++] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193) + 0x9e3779b1;
    }
    offset += length;
  }
  lines.close(hash);
  lines.open(text.length, position);
  return { text, bytes: bytes.subarray(0, position), ...lines.arrays(), checkpoints };
}

/** The same bytes without an index, for what is looked for. */
export function squashed(text: string): Buffer {
  return squashIndex(text).bytes;
}

/** The text offset of the character behind a byte. */
export function offsetOfPosition(index: SquashIndex, position: number): number {
  const { text, checkpoints, bytes } = index;
  if (position >= bytes.length) return text.length;
  const checkpoint = Math.floor(position / CHECKPOINT);
  let left = position - checkpoint * CHECKPOINT;
  for (let offset = checkpoints[checkpoint] ?? 0; offset < text.length; ) {
    const code = text.charCodeAt(offset);
    const folded = code < 128 ? (ASCII[code] ?? 0) : OTHER;
    const special = folded >= 128 ? foldSpecial(text, offset, code) : folded | 0x100;
    if ((special & 0xff) !== SKIP && left-- === 0) return offset;
    offset += special >> 8;
  }
  return text.length;
}

/** The 0-based line that an offset lies in. */
export function lineOfOffset({ lineOffsets, lineCount }: SquashIndex, offset: number): number {
  let [low, high] = [0, lineCount - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineOffsets[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

const DOT = 0x2e;
const SKIP = 0;
const OTHER = 255;
const ASCII = asciiTable();

function asciiTable(): Uint8Array {
  const table = Uint8Array.from({ length: 128 }, (_, code) => (isBlank(code) ? SKIP : code));
  for (const dropped of ',;') table[dropped.charCodeAt(0)] = SKIP;
  table[0] = 1;
  table[0x22] = 0x27;
  for (const special of '&\\.') table[special.charCodeAt(0)] = OTHER;
  return table;
}

/** What stands at `offset` as `length << 8 | byte`; byte 0 for what is dropped. */
function foldSpecial(text: string, offset: number, code: number): number {
  const letter = code === 0x5c ? escapedLetterAt(text, offset) : undefined;
  if (letter !== undefined) return (LETTER_ESCAPE << 8) | foldLetter(letter.charCodeAt(0));
  if (code === 0x5c) return /[ntr]/.test(text[offset + 1] ?? '') ? 0x200 : 0x100;
  if (code === 0x2e) return isDot(text.charCodeAt(offset - 1)) ? 0x100 : 0x12e;
  if (code === 0x26) {
    const entity = entityAt(text, offset);
    if (!entity) return 0x100 | code;
    const character = entity[1].charCodeAt(0);
    return (entity[0].length << 8) | (character < 128 ? (ASCII[character] ?? 0) & 0x7f : SKIP);
  }
  if (isBlank(code) || isInvisible(code)) return 0x100;
  const plain = plainForm(code);
  if (plain === '...') return isDot(text.charCodeAt(offset - 1)) ? 0x100 : 0x12e;
  if (plain !== undefined) {
    const folded = ASCII[plain.charCodeAt(0)] ?? 0;
    return 0x100 | (folded === OTHER ? plain.charCodeAt(0) & 0x7f : folded);
  }
  return 0x100 | foldLetter(code);
}

const isDot = (code: number): boolean => code === 0x2e || code === 0x2026;

const letters = new Map<number, number>();

/** A byte for a character beyond ASCII: an accented letter as its base, a mark on a letter dropped. */
function foldLetter(code: number): number {
  const known = letters.get(code);
  if (known !== undefined) return known;
  const base = String.fromCharCode(code).normalize('NFD').charCodeAt(0);
  const isMark = /\p{M}/u.test(String.fromCharCode(base)) || (base >= 0x1160 && base <= 0x11ff);
  const byte = isMark ? SKIP : base < 128 ? base : 128 | (Math.imul(base, 0x9e3779b1) >>> 25);
  letters.set(code, byte);
  return byte;
}

/** Growing lists of numbers a line. */
class LineList {
  #count = 0;
  #offsets = new Int32Array(1024);
  #positions = new Int32Array(1024);
  #hashes = new Int32Array(1024);

  open(offset: number, position: number): void {
    if (this.#count === this.#offsets.length) this.#grow();
    this.#offsets[this.#count] = offset;
    this.#positions[this.#count] = position;
  }

  close(hash: number): void {
    this.#hashes[this.#count++] = hash;
  }

  arrays(): Pick<SquashIndex, 'lineCount' | 'lineOffsets' | 'linePositions' | 'lineHashes'> {
    const end = this.#count + 1;
    return {
      lineCount: this.#count,
      lineOffsets: this.#offsets.subarray(0, end),
      linePositions: this.#positions.subarray(0, end),
      lineHashes: this.#hashes.subarray(0, this.#count),
    };
  }

  #grow(): void {
    this.#offsets = doubled(this.#offsets);
    this.#positions = doubled(this.#positions);
    this.#hashes = doubled(this.#hashes);
  }
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
