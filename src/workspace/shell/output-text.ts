import { characterStart, count, cutLine, plural, size, TEXT_LIMITS } from '../truncation.ts';
import { decodeEscaped } from '../visible-text.ts';
import type { OutputEnds } from './output-window.ts';
import { terminalLines } from './terminal-text.ts';

/** UTF-8 bytes of a command's output that are shown: from its beginning, and from its end, where errors stand. */
export const SHOWN_HEAD = 10 * 1024;

/** So many bytes of the end of an output are shown. */
export const SHOWN_TAIL = 14 * 1024;
/** Above this share of bytes that no text has, an output is no text. */
const BINARY_SHARE = 0.1;
/** Less will do where much is no UTF-8 either: compressed bytes have fewer of them than programs. */
const COMPRESSED = { controls: 0.04, invalid: 0.2 } as const;

interface OutputText {
  readonly text: string;
  /** Not all is shown as it was: the whole is worth a file. */
  readonly isCut: boolean;
}

/** What is shown of an output: its head and its tail in whole lines, and between them how much was left out. */
export function outputText(ends: OutputEnds, spillPath: string | undefined): OutputText {
  const where = spillPath === undefined ? '' : ` in ${spillPath} (Read or Grep it)`;
  if (isBinary(ends.head)) {
    const kept = spillPath === undefined ? '' : `, in ${spillPath}`;
    return { text: `[binary output, ${size(ends.bytes)}${kept}]`, isCut: true };
  }
  const first = linesOf(wholeHead(ends));
  const last = ends.leftOut === 0 ? first : linesOf(wholeTail(ends));
  const total = ends.leftOut === 0 ? withoutLastEmpty(first).length : ends.lines;
  const shown = ends.leftOut === 0 ? withoutLastEmpty(first) : first.slice(0, -1);
  const whole = shown.map((line) => cutLine(line, TEXT_LIMITS.lineLength));
  const bytes = whole.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
  if (ends.leftOut === 0 && bytes <= SHOWN_HEAD + SHOWN_TAIL) {
    return { text: whole.map(({ text }) => text).join('\n'), isCut: whole.some(({ isCut }) => isCut) };
  }
  const isHeadPart = ends.leftOut > 0 && !ends.head.includes(10);
  const isTailPart = ends.leftOut > 0 && !ends.tail.subarray(0, -1).includes(10);
  const head = isHeadPart ? [partOf(first[0] ?? '', 'beginning')] : fitting(first, SHOWN_HEAD);
  const lines = withoutLastEmpty(last);
  const tail = isTailPart ? [partOf(lines.at(-1) ?? '', 'end')] : fitting([...lines].reverse(), SHOWN_TAIL).reverse();
  const left = Math.max(0, total - head.length - tail.length);
  const what = left > 0 ? `${plural(left, 'line')} left out` : `${size(ends.bytes)} in one line, the middle left out`;
  const all = spillPath === undefined ? `${count(total)} in all` : `all ${plural(total, 'line')}${where}`;
  return { text: [...head, `… ${what}; ${all} …`, ...tail].join('\n'), isCut: true };
}

/** Of a line that is longer than what was kept of it; how long is said beside it. */
function partOf(kept: string, part: 'beginning' | 'end'): string {
  const length = TEXT_LIMITS.lineLength;
  if (part === 'beginning') return `${kept.slice(0, characterStart(kept, Math.min(length, kept.length)))}…`;
  return `…${kept.slice(characterStart(kept, Math.max(0, kept.length - length)))}`;
}

/** The lines that fit, from the first on; a line that alone does not is cut. */
function fitting(lines: readonly string[], maxBytes: number): string[] {
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const { text } = cutLine(line, TEXT_LIMITS.lineLength);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxBytes) break;
    shown.push(text);
  }
  return shown;
}

/** The head up to its last line end, or to its last whole character where it has none. */
function wholeHead({ head, leftOut }: OutputEnds): Buffer {
  if (leftOut === 0) return head;
  const end = head.lastIndexOf(10);
  if (end >= 0) return head.subarray(0, end + 1);
  let last = head.length;
  while (last > 0 && ((head[last - 1] ?? 0) & 0xc0) === 0x80) last--;
  return head.subarray(0, Math.max(0, last - ((head[last - 1] ?? 0) >= 0xc0 ? 1 : 0)));
}

/** The tail from its first line start, or from its first whole character where it is within one line. */
function wholeTail({ tail }: OutputEnds): Buffer {
  const end = tail.indexOf(10);
  if (end >= 0 && end < tail.length - 1) return tail.subarray(end + 1);
  let start = 0;
  while (start < 4 && ((tail[start] ?? 0) & 0xc0) === 0x80) start++;
  return tail.subarray(start);
}

function linesOf(bytes: Buffer): readonly string[] {
  return terminalLines(decodeEscaped(bytes));
}

function withoutLastEmpty(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function isBinary(head: Buffer): boolean {
  const sample = head.subarray(0, 8192);
  if (sample.length < 512) return false;
  let odd = 0;
  for (const byte of sample) if (byte < 7 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) odd++;
  if (odd > sample.length * BINARY_SHARE) return true;
  if (odd < sample.length * COMPRESSED.controls) return false;
  const invalid = new TextDecoder().decode(sample).match(/\ufffd/g)?.length ?? 0;
  return invalid > sample.length * COMPRESSED.invalid;
}
