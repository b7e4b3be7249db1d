/** What a file is whose content begins like an image that models can be shown. */
type ImageLook =
  | {
      readonly status: 'image';
      readonly mimeType: string;
      readonly dimensions: readonly [width: number, height: number] | undefined;
    }
  /** It begins like one and is not whole: shown to a model it would spoil the whole conversation. */
  | { readonly status: 'broken'; readonly mimeType: string; readonly reason: string }
  | { readonly status: 'other'; readonly mimeType: string | undefined };

/** The type that a text in UTF-32 is given. */
export const UTF_32 = 'text/plain; charset=utf-32';

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Tells by content, never by name, whether these bytes are an image that a model can be shown. */
export async function lookAtImage(bytes: Uint8Array): Promise<ImageLook> {
  if (isUtf32(bytes)) return { status: 'other', mimeType: UTF_32 };
  const { fileTypeFromBuffer } = await import('file-type');
  const mimeType = (await fileTypeFromBuffer(bytes))?.mime ?? signature(bytes);
  if (mimeType === undefined || !SHOWN.has(mimeType)) return { status: 'other', mimeType };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const reason = defectOf(buffer, mimeType);
  if (reason !== undefined) return { status: 'broken', mimeType, reason };
  return { status: 'image', mimeType, dimensions: dimensionsOf(buffer, mimeType) };
}

/** By its mark, FF FE 00 00 or 00 00 FE FF, which to others is the start of a sound file. */
function isUtf32(bytes: Uint8Array): boolean {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  return bytes.length % 4 === 0 && (mark === 'fffe0000' || mark === '0000feff');
}

/** The type of a file that is too short for file-type to be sure of. */
function signature(bytes: Uint8Array): string | undefined {
  const hex = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  if (hex === '89504e47') return 'image/png';
  return hex.startsWith('ffd8ff') ? 'image/jpeg' : undefined;
}

function defectOf(bytes: Buffer, mimeType: string): string | undefined {
  const tail = bytes.subarray(-64);
  switch (mimeType) {
    case 'image/png':
      if (bytes.length < 45 || bytes.toString('latin1', 12, 16) !== 'IHDR') return 'its header is not whole';
      if (bytes.readUInt32BE(16) === 0 || bytes.readUInt32BE(20) === 0) return 'it is 0 pixels wide or high';
      return tail.includes('IEND') ? undefined : 'its end is missing';
    case 'image/jpeg':
      return bytes.subarray(-4096).includes(Buffer.from([0xff, 0xd9])) ? undefined : 'its end is missing';
    case 'image/gif':
      return tail.includes(0x3b) ? undefined : 'its end is missing';
    case 'image/webp':
      return bytes.readUInt32LE(4) + 8 <= bytes.length ? undefined : 'its end is missing';
  }
  return undefined;
}

function dimensionsOf(bytes: Buffer, mimeType: string): readonly [number, number] | undefined {
  if (mimeType === 'image/png') return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return mimeType === 'image/gif' ? [bytes.readUInt16LE(6), bytes.readUInt16LE(8)] : undefined;
}
