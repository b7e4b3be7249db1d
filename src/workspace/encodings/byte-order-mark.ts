/** A byte order mark at the beginning of a file, and the encoding that it proves. */
interface ByteOrderMark {
  /** IANA name; `utf-32` is known only so that it is not taken for UTF-16. */
  readonly encoding: string;
  readonly bytes: readonly number[];
}

/** The longer ones first: UTF-32 begins as UTF-16 does. */
const MARKS: readonly ByteOrderMark[] = [
  { encoding: 'utf-32', bytes: [0xff, 0xfe, 0, 0] },
  { encoding: 'utf-32', bytes: [0, 0, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** The mark that a file begins with. */
export function readByteOrderMark(bytes: Uint8Array): ByteOrderMark | undefined {
  return MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));
}

/** The mark of an encoding; nothing for one that has none. */
export function byteOrderMarkOf(encoding: string): Uint8Array {
  return Uint8Array.from(MARKS.find((mark) => mark.encoding === encoding)?.bytes ?? []);
}
