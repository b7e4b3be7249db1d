import { splits } from './splits.ts';

/** More places than this are not looked for. */
export const MAX_OCCURRENCES = 100_000;

/** The offsets of all occurrences, those that overlap one another too; none splits a `\r\n` or a surrogate pair. */
export function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && found.length < MAX_OCCURRENCES; at = text.indexOf(part, at + 1)) {
    if (!splits(text, at) && !splits(text, at + part.length)) found.push(at);
  }
  return found;
}

/** old_string with the file's line ends where they are all of one other kind; `undefined` where that changes nothing. */
export function inFileBreaks(text: string, oldString: string): string | undefined {
  if (!/[\r\n]/.test(oldString)) return undefined;
  const end = text.includes('\r\n') ? '\r\n' : text.includes('\n') ? '\n' : '\r';
  const written = oldString.replace(/\r\n|\r|\n/g, end);
  return written === oldString ? undefined : written;
}
