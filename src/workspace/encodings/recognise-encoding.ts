import chardet from 'chardet';
import { type CharacterEncoding, INVALID_MARK } from './character-encoding.ts';
import { DOUBLE_BYTE_ENCODINGS, looksLikeDoubleByte } from './double-byte-shape.ts';
import { findEncoding, leadLengthOf } from './find-encoding.ts';
import { wordShapeOf } from './natural-words.ts';
import { bufferOf } from './utf-8.ts';

/** What bytes that are not Unicode are read as. */
interface Recognised {
  readonly encoding: CharacterEncoding;
  /** Nothing proves it: good enough to look at. */
  readonly isGuess: boolean;
}

/** Detection looks at no more than this: nothing but lines that are not all ASCII tell anything. */
const SAMPLE_BYTES = 16 * 1024;
/** Of 100, as chardet counts: by so much a rarer Latin encoding must lead before it is preferred to the western one. */
const LATIN_LEAD = 15;
const LATIN_LETTERS = 20;

const OTHER_SCRIPTS = [
  'windows-1251',
  'koi8-r',
  'iso-8859-5',
  'windows-1253',
  'iso-8859-7',
  'windows-1255',
  'windows-1256',
];
const OTHER_LATIN = /^(?:iso-8859-(?:2|9)|windows-(?:1250|1254|1257))$/;

/**
 * Recognises a legacy encoding. It is sure only where the bytes, read so, are what text looks like (words of one
 * script, the common rows of an East Asian set), where no other encoding passes the same test, and where encoding the
 * text again gives the same bytes. A detector's confidence alone is high for short texts that it gets wrong.
 */
export function recogniseEncoding(bytes: Uint8Array): Recognised {
  const sample = foreignLines(bytes);
  const proposed = chardet
    .analyse(sample)
    .map((match) => ({ name: match.name.toLowerCase(), confidence: match.confidence }));
  const sure = [
    ...DOUBLE_BYTE_ENCODINGS.filter((name) => isSureDoubleByte(name, sample)),
    ...westernOrLatin(sample, proposed),
    ...OTHER_SCRIPTS.filter((name) => proposed[0]?.name === name && isSureOtherScript(name, sample)),
  ].flatMap((name) => findEncoding(name) ?? []);
  const [only, ...others] = sure;
  if (only && others.length === 0 && isClean(bytes, only)) return { encoding: only, isGuess: false };
  const guesses = [...sure, ...proposed.flatMap(({ name }) => findEncoding(name) ?? [])];
  const guess = guesses.find((encoding) => !encoding.name.startsWith('utf-') && isClean(bytes, encoding));
  return { encoding: guess ?? latin1(), isGuess: true };
}

/** The lines with bytes above ASCII, as many as make a sample. */
function foreignLines(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let [start, length, isForeign] = [0, 0, false];
  for (let at = 0; at <= bytes.length && length < SAMPLE_BYTES; at += 1) {
    const byte = bytes[at] ?? 10;
    if (byte >= 0x80) isForeign = true;
    if (byte !== 10 && byte !== 13) continue;
    if (isForeign) {
      lines.push(bytes.subarray(start, at + 1));
      length += at + 1 - start;
    }
    start = at + 1;
    isForeign = false;
  }
  return Buffer.concat(lines);
}

/** Every byte is a character, and encoding the text again gives the same bytes. */
export function isClean(bytes: Uint8Array, encoding: CharacterEncoding): boolean {
  const text = encoding.decode(bytes);
  if (text.includes(INVALID_MARK)) return false;
  const back = encoding.encode(text);
  return back.status === 'encoded' && bufferOf(bytes).equals(back.bytes);
}

interface Proposal {
  readonly name: string;
  readonly confidence: number;
}

function isSureDoubleByte(name: string, bytes: Uint8Array): boolean {
  const lengthAt = leadLengthOf(name);
  const encoding = findEncoding(name);
  // The rows of bytes are looked at first: they need no table of the encoding.
  if (!lengthAt || !encoding || !looksLikeDoubleByte(name, bytes, lengthAt)) return false;
  return !encoding.decode(bytes).includes(INVALID_MARK);
}

/** Western text, or another that is written in Latin letters where the detector is clear about it. */
function westernOrLatin(bytes: Uint8Array, proposed: readonly Proposal[]): readonly string[] {
  const hasC1 = bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
  const western = hasC1 ? 'windows-1252' : 'iso-8859-1';
  const encoding = findEncoding(western);
  const text = encoding?.decode(bytes) ?? '';
  const shape = wordShapeOf(text);
  const isLatin =
    !text.includes(INVALID_MARK) &&
    shape.letters >= 2 &&
    shape.oddities <= shape.letters * 0.1 &&
    shape.natural >= shape.words * 0.9 &&
    shape.joined >= Math.max(1, shape.words * 0.6) &&
    shape.joined + shape.single >= shape.words * 0.8;
  const top = proposed.find(({ name }) => OTHER_LATIN.test(name));
  const own = proposed.find(({ name }) => name === western)?.confidence ?? 0;
  const isOther = top !== undefined && shape.letters >= LATIN_LETTERS && top.confidence >= own + LATIN_LEAD;
  if (isOther) return isOtherLatin(top.name, bytes) ? [top.name] : [];
  return isLatin ? [western] : [];
}

function isOtherLatin(name: string, bytes: Uint8Array): boolean {
  const shape = wordShapeOf(findEncoding(name)?.decode(bytes) ?? '');
  return shape.words > 0 && shape.oddities <= shape.letters * 0.05 && shape.natural >= shape.words * 0.95;
}

function isSureOtherScript(name: string, bytes: Uint8Array): boolean {
  const text = findEncoding(name)?.decode(bytes) ?? '';
  const shape = wordShapeOf(text);
  return (
    !text.includes(INVALID_MARK) &&
    shape.letters >= 24 &&
    shape.oddities <= shape.letters * 0.05 &&
    shape.natural >= shape.words * 0.95 &&
    shape.joined <= shape.words * 0.5
  );
}

function latin1(): CharacterEncoding {
  const encoding = findEncoding('iso-8859-1');
  if (!encoding) throw new TypeError('iso-8859-1 is not known');
  return encoding;
}
