import type { CharacterEncoding } from './character-encoding.ts';
import { type LeadLength, multiByte, singleByte } from './legacy.ts';
import { utf8 } from './utf-8.ts';
import { utf16be, utf16le } from './utf-16.ts';

const within = (byte: number | undefined, low: number, high: number): boolean =>
  byte !== undefined && byte >= low && byte <= high;

const shiftJis: LeadLength = (bytes, at) => {
  const [lead, trail] = [bytes[at], bytes[at + 1]];
  if (!within(lead, 0x81, 0x9f) && !within(lead, 0xe0, 0xfc)) return 1;
  return within(trail, 0x40, 0x7e) || within(trail, 0x80, 0xfc) ? 2 : 1;
};

const gbk: LeadLength = (bytes, at) => {
  const trail = bytes[at + 1];
  if (!within(bytes[at], 0x81, 0xfe)) return 1;
  return within(trail, 0x40, 0x7e) || within(trail, 0x80, 0xfe) ? 2 : 1;
};

const gb18030: LeadLength = (bytes, at) => {
  const isFour =
    within(bytes[at], 0x81, 0xfe) &&
    within(bytes[at + 1], 0x30, 0x39) &&
    within(bytes[at + 2], 0x81, 0xfe) &&
    within(bytes[at + 3], 0x30, 0x39);
  return isFour ? 4 : gbk(bytes, at);
};

const eucKr: LeadLength = (bytes, at) => {
  const trail = bytes[at + 1];
  if (!within(bytes[at], 0x81, 0xfe)) return 1;
  return within(trail, 0x41, 0x5a) || within(trail, 0x61, 0x7a) || within(trail, 0x81, 0xfe) ? 2 : 1;
};

const eucJp: LeadLength = (bytes, at) => {
  const [lead, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (lead === 0x8e) return within(second, 0xa1, 0xdf) ? 2 : 1;
  if (lead === 0x8f) return within(second, 0xa1, 0xfe) && within(third, 0xa1, 0xfe) ? 3 : 1;
  return within(lead, 0xa1, 0xfe) && within(second, 0xa1, 0xfe) ? 2 : 1;
};

const big5: LeadLength = (bytes, at) => {
  const trail = bytes[at + 1];
  if (!within(bytes[at], 0x81, 0xfe)) return 1;
  return within(trail, 0x40, 0x7e) || within(trail, 0xa1, 0xfe) ? 2 : 1;
};

const MULTI_BYTE: Readonly<Record<string, LeadLength>> = {
  shift_jis: shiftJis,
  gbk,
  gb18030,
  'euc-kr': eucKr,
  'euc-jp': eucJp,
  big5,
};

const SINGLE_BYTE = /^(?:iso-8859-(?:[1-9]|1[013-6])|windows-(?:874|125[0-8])|koi8-[ru]|macintosh)$/;

/** Other names by which configuration files and detectors know an encoding. */
const ALIASES: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  'utf-8-bom': 'utf-8',
  ascii: 'utf-8',
  'us-ascii': 'utf-8',
  latin1: 'iso-8859-1',
  'latin-1': 'iso-8859-1',
  cp1252: 'windows-1252',
  sjis: 'shift_jis',
  'shift-jis': 'shift_jis',
  cp932: 'shift_jis',
  'windows-31j': 'shift_jis',
  gb2312: 'gbk',
  cp936: 'gbk',
  euckr: 'euc-kr',
  cp949: 'euc-kr',
  eucjp: 'euc-jp',
  koi8r: 'koi8-r',
};

const known = new Map<string, CharacterEncoding>([utf8, utf16le, utf16be].map((encoding) => [encoding.name, encoding]));

/** How long the characters of a multi-byte encoding are. */
export function leadLengthOf(name: string): LeadLength | undefined {
  return Object.hasOwn(MULTI_BYTE, name) ? MULTI_BYTE[name] : undefined;
}

/** The encoding that a name stands for, however it is spelled; `undefined` where it is not one that we can edit. */
export function findEncoding(name: string): CharacterEncoding | undefined {
  const lower = name.trim().toLowerCase();
  const canonical = Object.hasOwn(ALIASES, lower) ? (ALIASES[lower] ?? lower) : lower;
  const found = known.get(canonical);
  if (found) return found;
  const leadLength = leadLengthOf(canonical);
  const made = leadLength
    ? multiByte(canonical, leadLength)
    : SINGLE_BYTE.test(canonical)
      ? singleByte(canonical)
      : undefined;
  if (made) known.set(canonical, made);
  return made;
}
