/**
 * A text on one line, whatever its lines end in: what others say stands in one line of ours, and must not look like
 * several of them.
 */
export function linesAsOne(text: string): string {
  return text
    .split(/[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
