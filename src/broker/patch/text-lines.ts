import { splitLines, withoutEnding } from '../line-hunks.ts';

/** A text by its lines, 0-based. */
export interface TextLines {
  readonly text: string;
  /** Without their endings. */
  readonly lines: readonly string[];
  /** The offset that a line begins at; that of the line after the last is the end of the text. */
  offsetOf(line: number): number;
  /** The ending of a line; empty for a last line without one. */
  endingOf(line: number): string;
  /** The line that an offset lies in. */
  lineAt(offset: number): number;
  /** Where these lines stand, one after the other. */
  find(lines: readonly string[]): readonly number[];
}

/** Reads a text as lines, ended by `\n`, `\r\n` or `\r`. */
export function textLines(text: string): TextLines {
  const whole = splitLines(text);
  const lines = whole.map(withoutEnding);
  const offsets = [0];
  for (const line of whole) offsets.push((offsets.at(-1) ?? 0) + line.length);
  const byText = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const known = byText.get(line);
    if (known) known.push(index);
    else byText.set(line, [index]);
  });
  return {
    text,
    lines,
    offsetOf: (line) => offsets[line] ?? text.length,
    endingOf: (line) => whole[line]?.slice(lines[line]?.length ?? 0) ?? '',
    lineAt(offset) {
      let low = 0;
      let high = lines.length;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((offsets[middle] ?? text.length) <= offset) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    find(wanted) {
      const [first] = wanted;
      if (first === undefined) return [];
      return (byText.get(first) ?? []).filter((at) => wanted.every((line, index) => lines[at + index] === line));
    },
  };
}
