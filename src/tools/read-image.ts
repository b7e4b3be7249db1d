import { extname } from 'node:path';
import { type Refusal, refuse } from '../broker/refusal.ts';
import { lookAtImage, UTF_32 } from '../workspace/image.ts';
import { size } from '../workspace/truncation.ts';
import type { Answer } from './answer.ts';
import type { NamedPath } from './named-path.ts';
import type { ToolResult } from './tool.ts';

/** A larger image is refused: encoded for a model it would be over 5 MB. */
export const MAX_IMAGE_BYTES = 3_750_000;
const MIN_IMAGE_BYTES = 8;

/** Whether a file calls itself an image that models can be shown. */
export function isNamedImage(path: string): boolean {
  return /^\.(?:png|jpe?g|gif|webp)$/i.test(extname(path));
}

/**
 * A file that is no plain text, or calls itself an image: shown as an image, or refused with what it is. `undefined`
 * where its content is to be read as text after all.
 */
export async function readImage(
  place: NamedPath,
  file: { readonly bytes: Uint8Array; readonly isText: boolean },
  answer: Answer,
): Promise<ToolResult | undefined> {
  const { bytes, isText } = file;
  const look = await lookAtImage(bytes);
  switch (look.status) {
    case 'image': {
      if (bytes.length > MAX_IMAGE_BYTES) return answer.refused(tooLargeImage(place));
      const measures = look.dimensions ? ` ${look.dimensions[0]}x${look.dimensions[1]},` : '';
      const text = `${place.shown}: ${look.mimeType},${measures} ${size(bytes.length)}`;
      const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
      const image = { mimeType: look.mimeType, base64 };
      return answer.ok(place.note === undefined ? text : `${place.note}\n${text}`, { complete: true }, [image]);
    }
    case 'broken':
      return answer.refused(refuse('binary', `${notValid(place, look.mimeType, bytes.length)}: ${look.reason}.`));
    case 'other':
      if (isNamedImage(place.path) && (!isText || bytes.length < MIN_IMAGE_BYTES)) {
        return answer.refused(refuse('binary', `${notValid(place, extname(place.path), bytes.length)}.`));
      }
      return isText ? undefined : answer.refused(binaryRefusal(place, look.mimeType));
  }
}

/** What a file is that is too large to hold and no text, told by its first bytes. */
export async function refuseLargeBinary(place: NamedPath, sample: Uint8Array): Promise<Refusal> {
  const look = await lookAtImage(sample);
  return look.status === 'other' ? binaryRefusal(place, look.mimeType) : tooLargeImage(place);
}

function notValid(place: NamedPath, type: string, bytes: number): string {
  return `${place.shown} is not a valid ${type.replace(/^image\/|^\./, '').toUpperCase()} (${size(bytes)})`;
}

function tooLargeImage(place: NamedPath): Refusal {
  const sizes = `${size(place.stat.size)}, over ${size(MAX_IMAGE_BYTES)}`;
  return refuse('too_large', `${place.shown} is an image of ${sizes}. Make a smaller copy with Bash and Read that.`);
}

function binaryRefusal(place: NamedPath, mimeType: string | undefined): Refusal {
  if (mimeType === UTF_32) {
    const how = 'Turn it into UTF-8 with Bash (iconv -f UTF-32 -t UTF-8) and Read that.';
    return refuse('binary', `${place.shown} is a text in UTF-32 (${size(place.stat.size)}), which is not read. ${how}`);
  }
  const what = mimeType === undefined ? 'a binary file' : mimeType;
  return refuse('binary', `${place.shown} is ${what} (${size(place.stat.size)}), no text. Look into it with Bash.`);
}
