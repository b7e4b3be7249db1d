/**
 * The one place that cuts what is too long for a model, and that words the cut. What was left out is always counted,
 * and a character is never split.
 */

/** What a result may hold by default: lines, bytes of UTF-8 in all, and UTF-16 units in one line. */
export const TEXT_LIMITS = { lines: 2000, bytes: 50 * 1024, lineLength: 2000 } as const;

/** `1204` as `1,204`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Bytes for a person: `812 bytes`, `1.2 KB`, `1.0 GB` (1,024 each). */
export function size(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte');
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), 4);
  return `${(bytes / 1024 ** power).toFixed(1)} ${['', 'KB', 'MB', 'GB', 'TB'][power]}`;
}

/** `1 file`, `2 files`, `1,204 matches`. */
export function plural(value: number, noun: string): string {
  const ending = value === 1 ? '' : /(?:ch|sh|s|x)$/.test(noun) ? 'es' : 's';
  return `${count(value)} ${noun}${ending}`;
}

/** The nearest offset at or before `offset` that splits neither a surrogate pair nor a mark from its letter. */
export function characterStart(text: string, offset: number): number {
  let start = Math.max(0, Math.min(offset, text.length));
  for (let steps = 0; steps < 16 && start > 0 && start < text.length; steps++) {
    const unit = text.charCodeAt(start);
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (!isLow && !/^(?:\p{M}|\u200d)/u.test(text.slice(start, start + 2)) && text[start - 1] !== '\u200d') break;
    start--;
  }
  return start;
}

/** A text, or its first `maxLength` UTF-16 units with `…` behind. */
export function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, characterStart(text, maxLength))}…` : text;
}

/** A line as it is shown. */
export interface CutLine {
  readonly text: string;
  readonly isCut: boolean;
}

/** A line that is shown whole, or its beginning with the whole length beside it. */
export function cutLine(line: string, maxLength: number): CutLine {
  if (line.length <= maxLength) return { text: line, isCut: false };
  const end = characterStart(line, maxLength);
  return { text: `${line.slice(0, end)}${lineCut(end, `${count(line.length)} characters`)}`, isCut: true };
}

/** The mark after the shown part of a line: how much of it was shown, and how long it is. */
export function lineCut(shown: number, length: string): string {
  return `… [line cut: ${count(shown)} of ${length}]`;
}

/**
 * A stretch of a line around a match, at most about `maxLength` UTF-16 units: from a bit before `match.start`.
 * `start` is where the stretch begins in the line.
 */
export function cutAround(
  line: string,
  match: { readonly start: number; readonly end: number },
  maxLength: number,
): CutLine & { readonly start: number } {
  if (line.length <= maxLength) return { text: line, start: 0, isCut: false };
  const length = Math.min(match.end - match.start, maxLength);
  const before = Math.floor((maxLength - length) / 2);
  const wished = Math.max(0, Math.min(match.start - before, line.length - maxLength));
  const start = characterStart(line, wished);
  const end = characterStart(line, start + maxLength);
  const text = `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
  return { text, start, isCut: true };
}
