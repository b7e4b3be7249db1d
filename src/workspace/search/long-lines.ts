import { join } from 'node:path';
import type { DocumentStore } from '../document-store.ts';
import { decodeEscaped, visibleControls } from '../visible-text.ts';
import { type FileMatches, type GrepLine, MAX_GREP_LINE } from './grep-collector.ts';

/** Gives lines that were too long to hold the stretch around their match, read from the file itself. */
export async function showLongLines(
  files: readonly FileMatches[],
  folder: string,
  store: DocumentStore,
): Promise<void> {
  for (const file of files) {
    for (const [at, line] of file.lines.entries()) {
      const text = await stretchOf(line, join(folder, file.path), store);
      if (text !== undefined) file.lines[at] = { ...line, text };
    }
  }
}

/** `undefined` where the line's own beginning is as good as it gets. */
async function stretchOf(line: GrepLine, path: string, store: DocumentStore): Promise<string | undefined> {
  const { clip } = line;
  if (clip?.unit !== 'byte' || !line.isMatch || clip.column < MAX_GREP_LINE / 2) return undefined;
  try {
    const start = Math.max(0, clip.column - 1 - MAX_GREP_LINE / 2);
    const bytes = await store.readBytes(path, clip.lineOffset + start, MAX_GREP_LINE);
    // Of a file in UTF-16 ripgrep counts the bytes as it reads them, not as they are.
    if (bytes.includes(0)) return undefined;
    return `…${visibleControls(decodeEscaped(wholeCharacters(bytes)).replace(/[\r\n].*$/s, ''))}…`;
  } catch {
    // Gone meanwhile: the beginning of the line is shown, and the column says where the match was.
    return undefined;
  }
}

/** Without the halves of characters that the cuts left at both ends. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  let end = bytes.length;
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) end = bytes.length - back;
    break;
  }
  return bytes.subarray(start, end);
}
