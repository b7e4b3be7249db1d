import { join } from 'node:path';
import type { DocumentStore } from '../document-store.ts';
import { looksBinary } from '../encodings/looks-binary.ts';
import { utf16WithoutMark } from '../encodings/utf-16-without-mark.ts';
import type { LookTimes } from './passed-over.ts';
import type { Ripgrep } from './ripgrep.ts';
import { lookAgain, type SecondLook } from './second-look.ts';

/** Files that match once they are read in an encoding that ripgrep could not know: it takes all without a mark for UTF-8. */
export interface OtherEncodings {
  readonly files: readonly { readonly path: string; readonly encoding: Reading }[];
  /** All were looked at. */
  readonly isComplete: boolean;
}

type Reading = 'utf-16le' | 'utf-16be' | 'windows-1252';

/** What such a search needs of the world. */
type Ports = LookTimes & { readonly ripgrep: Ripgrep; readonly store: DocumentStore };

const SAMPLE_BYTES = 1024 * 1024;

/** Searches once more, as if all files were in UTF-16 or Latin-1, as far as a short budget goes. */
export async function matchesInOtherEncodings(
  look: SecondLook,
  ports: Ports,
  signal?: AbortSignal,
): Promise<OtherEncodings> {
  // Plain letters are the same bytes in Latin-1 as in UTF-8: they were found.
  const readings: readonly Reading[] = /^[\w\s-]*$/.test(look.request.pattern)
    ? ['utf-16le', 'utf-16be']
    : ['utf-16le', 'utf-16be', 'windows-1252'];
  const looks = await Promise.all(readings.map((reading) => lookAgain(look, [`--encoding=${reading}`], ports, signal)));
  const files: OtherEncodings['files'][number][] = [];
  for (const [index, encoding] of readings.entries()) {
    for (const path of looks[index]?.paths ?? []) {
      if (await isIn(encoding, join(look.request.place.folder, path), ports)) files.push({ path, encoding });
    }
  }
  return { files, isComplete: looks.every((look) => look.isComplete) };
}

/** Whether a file is in fact in that encoding: any bytes can be read in any. */
async function isIn(encoding: Reading, path: string, { store }: Ports): Promise<boolean> {
  try {
    const sample = await store.readBytes(path, 0, SAMPLE_BYTES);
    if (encoding !== 'windows-1252') return utf16WithoutMark(sample)?.name === encoding;
    return !sample.includes(0) && !looksBinary(sample) && !isUtf8Start(sample);
  } catch {
    // Gone meanwhile, or not to be read: nothing is said of it.
    return false;
  }
}

/** The last character may be cut. */
function isUtf8Start(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
