import type { TextLines } from './text-lines.ts';

/** A stretch of lines, 0-based, `end` not in it. */
export interface Scope {
  readonly start: number;
  readonly end: number;
}

/** Where the lines of a hunk may stand, by its `@@` headers. */
export type Scopes =
  | {
      readonly status: 'found';
      /** What the innermost headers enclose, by indentation. */
      readonly blocks: readonly Scope[];
      /** All that follows the first of them. */
      readonly after: Scope;
    }
  | { readonly status: 'absent'; readonly header: string };

/**
 * Where a hunk with `@@` headers may be: each header is a line that stands within what the one before it encloses, or
 * at least below it. A header that several lines fit gives several blocks.
 */
export function scopesOf(text: TextLines, headers: readonly string[]): Scopes {
  let places: readonly Scope[] = [{ start: 0, end: text.lines.length }];
  let first = 0;
  for (const header of headers) {
    const found = headerLines(text, header);
    const inside = found.filter((line) => places.some(({ start, end }) => line >= start && line < end));
    const below = found.filter((line) => line >= first);
    const lines = inside.length > 0 ? inside : below;
    const [top] = lines;
    if (top === undefined) return { status: 'absent', header };
    first = top;
    places = lines.map((line) => ({ start: line, end: endOfBlock(text, line) }));
  }
  return { status: 'found', blocks: places, after: { start: first, end: text.lines.length } };
}

/** The same line, else the same but for blanks around it, else one that begins so. */
function headerLines({ lines }: TextLines, header: string): readonly number[] {
  const wanted = header.trim();
  const fits = [
    (line: string) => line === header,
    (line: string) => line.trim() === wanted,
    (line: string) => line.trim().startsWith(wanted) && !/^\w/.test(line.trim().slice(wanted.length)),
  ];
  for (const isLike of fits) {
    const found = lines.flatMap((line, index) => (isLike(line) ? [index] : []));
    if (found.length > 0) return found;
  }
  return [];
}

/** The line after the last that is indented more than this one; a closing bracket at its own depth belongs to it. */
function endOfBlock({ lines }: TextLines, header: number): number {
  const depth = depthOf(lines[header] ?? '');
  let end = header + 1;
  for (let line = header + 1; line < lines.length; line += 1) {
    const text = lines[line] ?? '';
    if (text.trim() === '') continue;
    const isCloser = depthOf(text) === depth && /^[\])}{]/.test(text.trim());
    if (depthOf(text) <= depth && !isCloser) break;
    end = line + 1;
  }
  return end;
}

function depthOf(line: string): number {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return indent.replace(/\t/g, '    ').length;
}
