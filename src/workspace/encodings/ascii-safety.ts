import { INVALID_MARK } from './character-encoding.ts';
import { findEncoding } from './find-encoding.ts';

/** Encodings whose characters may end in a byte that looks like ASCII. */
const WITH_ASCII_TRAILS = ['shift_jis', 'gbk', 'gb18030', 'big5', 'euc-kr'];

/** A splice of ASCII into bytes whose encoding is not known. */
interface BlindSplice {
  readonly before: Uint8Array;
  /** Byte offsets in `before` at which the splice cuts, ascending. */
  readonly cuts: readonly number[];
  readonly after: Uint8Array;
}

/**
 * Whether a splice is right whichever encoding the bytes have: under each that reads them without fault it cuts between
 * characters and leaves bytes that still read without fault.
 */
export function isSafeInAnyEncoding(splice: BlindSplice): boolean {
  return WITH_ASCII_TRAILS.every((name) => {
    const encoding = findEncoding(name);
    const text = encoding?.decode(splice.before);
    if (!encoding || text === undefined || text.includes(INVALID_MARK)) return true;
    if (encoding.decode(splice.after).includes(INVALID_MARK)) return false;
    return splice.cuts.every((cut) => {
      const head = encoding.decode(splice.before.subarray(0, cut));
      return !head.includes(INVALID_MARK) && text.startsWith(head);
    });
  });
}
