/**
 * Whether a text is what Read shows of a file, and not the file: every line begins with its number and `→`, one more
 * each line. A remark in parentheses below them is part of what is shown.
 */
export function hasShownNumbers(text: string): boolean {
  const lines = text.split(/\r\n?|\n/);
  while (lines.at(-1) === '') lines.pop();
  if (lines.length > 1 && /^\(.*\)$/.test(lines.at(-1) ?? '')) lines.pop();
  const first = Number.parseInt(lines[0] ?? '', 10);
  return lines.length > 0 && lines.every((line, index) => line.startsWith(`${first + index}→`));
}
