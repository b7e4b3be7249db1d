import { Buffer } from 'node:buffer';
import type { TextForm } from './document-snapshot.ts';
import { isSafeInAnyEncoding } from './encodings/ascii-safety.ts';
import { byteOrderMarkOf } from './encodings/byte-order-mark.ts';
import { type CharacterEncoding, INVALID_MARK } from './encodings/character-encoding.ts';
import { detectEncoding, type EncodingHints } from './encodings/detect-encoding.ts';
import { encodeInsert } from './encodings/encode-insert.ts';
import { findEncoding } from './encodings/find-encoding.ts';
import { narrowEdit } from './encodings/narrow-edit.ts';
import { utf8 } from './encodings/utf-8.ts';
import { applySpanEdits, type Span, type SpanEdit } from './span.ts';

/** What configuration says of a file, where it says anything. */
interface DecodeHints extends EncodingHints {
  readonly path?: string;
}

/** `encoding`: it is text in an encoding that can't be edited; the message says which and what to do. */
export type Decoded =
  | { readonly status: 'decoded'; readonly text: string; readonly form: TextForm }
  | { readonly status: 'binary' }
  | { readonly status: 'encoding'; readonly message: string };

type EncodedChange =
  | { readonly status: 'encoded'; readonly bytes: Uint8Array }
  | { readonly status: 'refused'; readonly code: 'encoding'; readonly message: string };

/**
 * The text of a file, without its byte order mark. Bytes that are no characters appear as U+FFFD; `encodeChange` keeps
 * them as they are.
 */
export function decodeText(bytes: Uint8Array, hints: DecodeHints = {}): Decoded {
  const detected = detectEncoding(bytes, hints);
  if (detected.status !== 'found') return detected;
  const { encoding, bomBytes, isGuess } = detected;
  return {
    status: 'decoded',
    text: encoding.decode(bytes.subarray(bomBytes)),
    form: { encoding: encoding.name, hasBom: bomBytes > 0, ...(isGuess && { isGuess }) },
  };
}

/**
 * The bytes of a new file, or of a text that replaces another as a whole. One mark at most: that of `form` stands for
 * any that the text begins with.
 * @throws RangeError for a text that the encoding can't hold; use `encodeChange` where that is an outcome
 */
export function encodeText(text: string, form: TextForm): Uint8Array {
  const encoded = (findEncoding(form.encoding) ?? utf8).encode(form.hasBom ? text.replace(/^\ufeff+/, '') : text);
  if (encoded.status === 'unencodable') {
    throw new RangeError(`${form.encoding} has no ${JSON.stringify(encoded.character)}`);
  }
  return form.hasBom ? Buffer.concat([byteOrderMarkOf(form.encoding), encoded.bytes]) : encoded.bytes;
}

/**
 * Splices a change into the bytes that a text was decoded from. Bytes outside the edits are the base's own, whatever
 * they mean; the result decodes to the edited text. A change that is ASCII goes into any file; other characters only
 * where the encoding is known.
 * @throws RangeError when edits overlap or reach outside the text
 */
export function encodeChange(
  baseBytes: Uint8Array,
  decoded: { readonly text: string; readonly form: TextForm },
  edits: readonly SpanEdit[],
): EncodedChange {
  const { text, form } = decoded;
  const encoding = findEncoding(form.encoding);
  if (!encoding) return refused(`its encoding is ${form.encoding}, which can't be written. Convert it to UTF-8 first`);
  const after = applySpanEdits(text, edits);
  const bom = bomLength(form);
  const body = baseBytes.subarray(bom);
  const narrowed = edits
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((edit) => narrowEdit(text, edit))
    .filter((edit) => edit.start < edit.end || edit.newText !== '');
  const isForeign = narrowed.some((edit) => !isAscii(edit.newText.replaceAll(INVALID_MARK, '')));
  if (form.isGuess && isForeign) {
    return refused(
      `its encoding is not known for sure (perhaps ${form.encoding}), so only ASCII can be put in. ` +
        'Name its charset in .editorconfig, or convert it to UTF-8 first',
    );
  }
  const cuts = encoding.byteOffsets(
    body,
    text,
    narrowed.flatMap(({ start, end }) => [start, end]),
  );
  const fileHasInvalid = text.includes(INVALID_MARK) && !isClean(encoding, text, body);
  const parts: Uint8Array[] = [baseBytes.subarray(0, bom)];
  let from = 0;
  for (const [index, edit] of narrowed.entries()) {
    const [start = 0, end = 0] = cuts.slice(2 * index, 2 * index + 2);
    const markedBytes = fileHasInvalid
      ? bytesOfMarks(encoding, text.slice(edit.start, edit.end), body.subarray(start, end))
      : [];
    const insert = encodeInsert(encoding, { newText: edit.newText, markedBytes, fileHasInvalid });
    if (insert.status === 'refused') return refused(insert.message);
    parts.push(body.subarray(from, start), insert.bytes);
    from = end;
  }
  parts.push(body.subarray(from));
  const bytes = Buffer.concat(parts);
  const isExact = encoding.name.startsWith('utf-') && !fileHasInvalid;
  if (!isExact && encoding.decode(bytes.subarray(bom)) !== after) {
    return refused(
      'beside bytes that are no text, the change would be read as other characters. Edit further away from them',
    );
  }
  if (form.isGuess && !isSafeInAnyEncoding({ before: body, cuts, after: bytes.subarray(bom) })) {
    return refused(
      `its encoding is not known for sure (perhaps ${form.encoding}), and the change would touch half a character in another. ` +
        'Name its charset in .editorconfig',
    );
  }
  return { status: 'encoded', bytes };
}

/** The stretch of bytes `[start, end)` in the file that a span of its text is stored in. */
export function byteRange(
  baseBytes: Uint8Array,
  decoded: { readonly text: string; readonly form: TextForm },
  span: Span,
): readonly [number, number] {
  const bom = bomLength(decoded.form);
  const encoding = findEncoding(decoded.form.encoding) ?? utf8;
  const { start, end } = narrowEdit(decoded.text, { ...span, newText: '' });
  const [first = 0, last = 0] = encoding.byteOffsets(baseBytes.subarray(bom), decoded.text, [start, end]);
  return [bom + first, bom + last];
}

function bomLength(form: TextForm): number {
  return form.hasBom ? byteOrderMarkOf(form.encoding).length : 0;
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

function isClean(encoding: CharacterEncoding, text: string, body: Uint8Array): boolean {
  const encoded = encoding.encode(text);
  return encoded.status === 'encoded' && Buffer.compare(encoded.bytes, body) === 0;
}

function bytesOfMarks(encoding: CharacterEncoding, text: string, bytes: Uint8Array): readonly Uint8Array[] {
  const marks = [...text.matchAll(new RegExp(INVALID_MARK, 'g'))].map((match) => match.index);
  const offsets = encoding.byteOffsets(
    bytes,
    text,
    marks.flatMap((at) => [at, at + 1]),
  );
  return marks.map((_, index) => bytes.subarray(offsets[index * 2], offsets[index * 2 + 1]));
}

function refused(message: string): EncodedChange {
  return { status: 'refused', code: 'encoding', message };
}
